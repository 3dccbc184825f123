"""How jobs reach devices: the port of executors, those that Grader brings, and the dispatcher that feeds them."""
