"""What every page of the portal says, and the pages to sign in."""

from grader.messages.message import Message, message, plural

PORTAL_SITE: dict[str, Message] = {
    "portal-title": message("{page} · {course}"),
    "portal-course": message("GPU course"),
    "portal-skip": message("Skip to the content"),
    "portal-navigation": message("Pages"),
    "portal-where": message("Where you are"),
    "portal-language": message("Language"),
    "portal-sign-in": message("Sign in"),
    "portal-sign-out": message("Sign out"),
    "portal-sign-in-by-link": message(
        "Open the link that your course sent you. It works once and keeps this browser signed in for {days} days."
    ),
    "portal-no-link": message("No link, or it no longer works? Ask the staff of your course for a new one."),
    "portal-link-heading": message("Sign in to this browser"),
    "portal-link-explained": message("The link works once. Do not use it on a computer that others use."),
    "portal-link-gone": message(
        "This link was used or has expired. Ask the staff of your course for a new one."
    ),
    "portal-welcome": message("Welcome"),
    "portal-welcome-why": message("You are signed in. There is nothing to see yet."),
    "portal-role": message("{role:word}"),
    "portal-refused": message("This cannot be done"),
    "portal-forbidden": message("This cannot be done from here"),
    "portal-not-found": message("There is no such page"),
    "portal-gone": message("This link no longer works"),
    "portal-too-large": message("Too large"),
    "portal-too-often": message("Too many tries"),
    "portal-fault": message("Something failed on the server"),
    "portal-not-found-why": message("The address is wrong, or the page is not for you."),
    "portal-other-site": message("The form was sent from another site. Open the portal and try again."),
    "portal-form-damaged": message("The form arrived damaged. Go back and send it again."),
    "portal-too-often-why": plural("count", "Try again in {count} second.", "Try again in {count} seconds."),
    "portal-fault-why": message("It was logged. What you submitted before is safe. Try again in a minute."),
    "portal-served": message("The portal is at {url} and listens at {host}:{port}. Ctrl-C ends it."),
    "portal-first-link": message(
        "The first instructor signs in with this link, once, before {until:moment}:"
    ),
    "portal-invited": plural("count", "{count} link. It works once.", "{count} links. Each works once."),
    "portal-disabled": message("{person} is signed out and can sign in no more."),
    "portal-role-given": message("{person} is {role:word}."),
    "column-role": message("role"),
    "portal-sign-in-with": message("Sign in with {service}"),
    "portal-id-or-email": message("Your id or e-mail address"),
    "portal-password": message("Password"),
    "portal-password-wrong": message("Name or password is wrong."),
    "portal-password-title": message("Your password"),
    "portal-password-former": message("Present password"),
    "portal-password-new": message("New password"),
    "portal-password-again": message("New password once more"),
    "portal-password-rule": plural("count", "At least {count} character.", "At least {count} characters."),
    "portal-password-keep": message("Keep this password"),
    "portal-no-passwords": message("This course uses no passwords."),
    "portal-nav-invitations": message("Sign-in links"),
    "portal-invitations-why": message(
        "A link signs one person in once. It also helps who forgot a password."
    ),
    "portal-find-person": message("Find a person"),
    "portal-find": message("Find"),
    "portal-person": message("Person"),
    "portal-make-link": message("Make a link"),
    "portal-nobody-found": message("No person has such a name."),
    "portal-invited-title": message("The link is ready"),
    "portal-invited-why": message("Send it to {name} only. It works once, until {until:moment}."),
    "portal-link": message("Link"),
    "portal-start": message("Go to the start"),
}
