"""The client of a course's server: logging in, submitting, watching."""

from grader.messages.message import Message, message

CLIENT: dict[str, Message] = {
    # Logging in
    "login-not-encrypted": message(
        "The connection to {server} is not encrypted: others in the network can read your token and your files."
    ),
    "confirm-device": message("Open {link} in your browser and enter the code {code}."),
    "device-waiting": message("Waiting until you confirm the code"),
    "logged-in": message("Logged in to {server} as {name}. The token is in {file}."),
    "logged-out": message("Logged out of {server}; the token is revoked."),
    "logged-out-here": message(
        "The token is removed from this machine. {server} does not answer: revoke it there, at /me."
    ),
    # Attempts
    "attempt-received": message("Received as your attempt {number} at {lab}; the server calls it {attempt}."),
    "attempt-watched": message("Waiting for news of attempt {attempt}"),
    "attempt-goes-on": message("The server goes on with the attempt. Watch it with {command}."),
    "watch-attempt": message("Watch it with {command}."),
    "connection-lost": message("{server} does not answer ({why}); trying again."),
    "no-attempts": message("You have submitted nothing yet."),
}
