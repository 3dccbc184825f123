"""Services of a course: grade, decide, look up, publish. Values in, values out; nothing here prints."""
