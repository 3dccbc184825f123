"""An error with text that would act on a page, a table, a terminal or a shell."""

raise RuntimeError("<script>alert(1)</script>\x1b]0;owned\x07\x1b[2J\r=cmd|' /C calc'!A0 {{ 7 * 7 }} \u202e")
