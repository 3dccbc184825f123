"""A course with graders, workers and a Docker engine that can be killed."""
