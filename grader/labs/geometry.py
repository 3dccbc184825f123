"""Launch geometry: from text such as ``grid=ceil(rows/block)`` to numbers, by a small bounded parser."""
