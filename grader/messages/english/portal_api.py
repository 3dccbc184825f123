"""The API, tokens, and the page where a person confirms a program."""

from grader.messages.message import Message, message, plural

PORTAL_API: dict[str, Message] = {
    # Refusals of the API
    "api-no-token": message("This needs a token that is valid. Make one at /me, or log in again."),
    "api-token-scope": message("This token may not do this. It needs the scope {scopes:or}."),
    "api-not-json": message("The body is no JSON: its type must be application/json."),
    "api-body-invalid": message("The body is not what this operation takes: {why}."),
    "api-query-invalid": message("The parameter {name} must be a whole number from {low} to {high}."),
    "api-no-result": message("The attempt has no result, or none that the course shows yet."),
    # Tokens
    "token-label": message("A token needs a name of at most {limit} characters, all of which show."),
    "token-days": message("A token that expires lives from 1 to {limit} days."),
    "token-scopes": message("A token may have only scopes that you have here: {scopes:and}."),
    "token-too-many": message("You have {limit} tokens, which is the most. Revoke one that you do not use."),
    # What programs may do
    "token-may": message("It may"),
    "may-submit": message("submit work for you"),
    "may-read-own": message("read your attempts and results"),
    "may-read-course": message("read the attempts and results of the class"),
    "may-grade": message("decide about results: override, excuse, extend, comment, regrade"),
    "may-roster": message("read and change the roster"),
    "may-export": message("export grades and import work"),
    "may-manage": message("change dates, points and roles"),
    "may-operate": message("see and control the queue and the server"),
    "may-change-account": message("make and revoke your tokens"),
    # Device links
    "device-pending": message("The code is not confirmed yet."),
    "device-refused": message("The code was refused."),
    "device-expired": message("The code has expired or is unknown. Start again."),
    "device-code-unknown": message(
        "No program waits for this code. Check it, or start again: a code can be used for ten minutes."
    ),
    # The page to confirm a program
    "device-title": message("Connect a program"),
    "device-explained": message(
        "Enter the code that your terminal shows. Never enter one that was sent to you: its sender could act for you."
    ),
    "device-code": message("Code"),
    "device-continue": message("Continue"),
    "device-asks": message("{label} asks to act for you"),
    "device-unnamed": message("A program"),
    "device-may": plural(
        "days",
        "For {days} day, or until you revoke it, it may:",
        "For {days} days, or until you revoke it, it may:",
    ),
    "device-own": message("Confirm only if you started it yourself, a moment ago."),
    "device-accept": message("Confirm"),
    "device-refuse": message("Refuse"),
    "device-accepted": message("Confirmed. Go back to your terminal."),
    "device-was-refused": message("Refused. The program gets nothing."),
}
