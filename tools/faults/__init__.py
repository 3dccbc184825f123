"""A course whose graders, workers and Docker engine can be killed."""
