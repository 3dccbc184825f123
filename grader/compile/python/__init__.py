"""A student's Python file as data: functions, constants and imports come from its syntax tree; none of it is run."""
