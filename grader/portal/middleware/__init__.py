"""What happens around every request, as plain ASGI: nothing stands between a live answer and its listener."""
