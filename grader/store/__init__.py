"""What was graded, kept so that nothing is lost or done twice."""
