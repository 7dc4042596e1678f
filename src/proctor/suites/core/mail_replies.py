"""Tasks in which letters are answered with what stands elsewhere or what only the user knows."""

from __future__ import annotations

from proctor.home import HOME
from proctor.suites.parts.post import people
from proctor.suites.parts.thunderbird import attach, empty_inbox, open_letter, reply, run_program, send, write
from proctor.suites.parts.users import user_who_knows_the_guests
from proctor.suites.parts.ways import by_hand, in_words
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Admission, Draft, NearMiss, Way
from proctor.tasks.template import template

QUESTION = "question.1@example"


@template(
    apps=("thunderbird", "mousepad"), level=4, demand="Office/Communication/Emailing", services=("mail",), version=3
)
def answer_with_the_figure(draw: Draw) -> Draft:
    """Somebody asks for a price that is in a document."""
    owner, (asker, other) = people(draw, 2)
    rooms = draw.some(("kitchen", "hall", "study", "workshop", "attic", "cellar"), 4)
    costs = dict(zip(rooms, draw.some(range(120, 980), 4), strict=True))
    wanted, wrong = rooms[:2]
    lines = "".join(f"{room.capitalize()}: {costs[room]} euros\n" for room in draw.some(rooms, 4))
    notes = f"Painting, offers from {draw.company()}\n\n{lines}\nAll prices with paint and two coats.\n"
    question = (
        f"Dear {owner.first},\n\ncould you tell me what they want for painting the {wanted}? A figure is enough, "
        f"I only have to fill it into the form.\n\nThank you,\n{asker.first}\n"
    )
    chat = f"Hi {owner.first},\n\nhow is the painting going?\n\n{other.first}\n"
    subject = f"Price for the {wanted}"
    letters = [
        owner.letter(other, "Painting", "03-11 17:20", chat),
        owner.letter(asker, subject, "03-12 08:50", question, id=QUESTION, read=False),
    ]
    look = run_program("mousepad Documents/painting.txt", "painting.txt")
    back = (hand.press("alt+F4"), hand.await_window("painting.txt", gone=True))

    def answer(room: str, to: str = subject) -> tuple[Call, ...]:
        return (*open_letter(to), *look, *back, *reply(f"They want {costs[room]} euros for the {room}."))

    def way(name: str, text: str) -> Way:
        return by_hand(name, *open_letter(subject), *reply(text))

    others = [str(costs[room]) for room in rooms[1:]]
    return Draft(
        instruction=f"{asker.name} emailed me to ask for a price. You'll find it in Documents/painting.txt. "
        "Please reply to that email with the amount.",
        paraphrases=(
            f"Can you answer {asker.first}'s email? The price {asker.first} is asking about is in my notes, "
            "Documents/painting.txt.",
        ),
        setup=(make.text_file("Documents/painting.txt", notes), owner.mail({"INBOX": letters}), owner.thunderbird()),
        check=expect.all_of(
            [
                # The figure is not told of another room.
                expect.replied_to(
                    see.posted_mail(),
                    QUESTION,
                    [asker.address],
                    [str(costs[wanted])],
                    others,
                    counts={room: costs[room] for room in rooms[1:]},
                ),
                expect.text_is(see.text("Documents/painting.txt"), notes),
                owner.keeps(letters),
            ]
        ),
        solution=answer(wanted),
        near_misses=(
            NearMiss(name="the price of another room", moves=answer(wrong)),
            NearMiss(
                name="the right price, give or take",
                moves=(*open_letter(subject), *look, *back, *reply(f"Roughly {costs[wanted]} euros, give or take.")),
            ),
            NearMiss(name="answered the other message", moves=answer(wanted, "Painting")),
            NearMiss(name="not sent", moves=answer(wanted)[:-2]),
        ),
        other_ways=(
            by_hand(
                "below what is quoted, with a currency sign",
                hand.run_code("cat Documents/painting.txt"),
                *open_letter(subject),
                *reply(f"Hi {asker.first},\n\nit is €{costs[wanted]}.00, with paint and two coats.", below=True),
            ),
            by_hand(
                "by the button, the question taken out, in words",
                *open_letter(subject),
                *look,
                *back,
                *reply(f"{in_words(costs[wanted]).capitalize()} euros for the {wanted}.", button="Reply", alone=True),
            ),
            way("set against another room", f"{costs[wanted]} euros, which is not what they ask for the {wrong}."),
        ),
        cheats=(
            way("the whole list", notes),
            by_hand(
                "from one price to another",
                *open_letter(subject),
                *reply(f"Between {min(costs.values())} and {max(costs.values())} euros, maybe {costs[wanted]}."),
            ),
            way("not the whole price", f"{costs[wanted]} euros, plus 50 euros on top for the paint."),
            way("told of another room", f"They want {costs[wanted]} euros for the {wrong}."),
            by_hand("the question sent back", *open_letter(subject), *reply("See below.", keys="ctrl+shift+r")),
            by_hand("answered, and the inbox emptied", *answer(wanted), *empty_inbox()),
        ),
    )


@template(apps=("thunderbird",), level=3, demand="Office/Communication/Emailing", services=("mail",), version=4)
def tell_the_caterer(draw: Draw) -> Draft:
    """A caterer asks for numbers that are not written down anywhere; only the user knows them."""
    owner, (caterer, friend) = people(draw, 2)
    guests, meatless = draw.randint(14, 48), draw.randint(2, 9)
    occasion = draw.choice(("summer party", "anniversary", "farewell", "housewarming"))
    subject = f"Your {occasion}"
    question = (
        f"Dear {owner.first},\n\nfor your {occasion} we still have to know how many people are coming, and how many of "
        f"them want to eat vegetarian.\n\nKind regards,\n{caterer.first}\n"
    )
    # An old guess is in another letter, as a temptation.
    old = (
        f"Hi {owner.first},\n\nlast year we were {guests + 3}, {meatless + 2} of them vegetarians.\n\n{friend.first}\n"
    )
    letters = [
        owner.letter(friend, "Last year", "03-10 21:15", old),
        owner.letter(caterer, subject, "03-11 11:30", question, id=QUESTION, read=False),
    ]
    ask = hand.ask("How many people are coming, and how many of them are vegetarians?")
    look = open_letter(subject)
    # Who names every number has told nothing; a sum of the two kinds of eaters is no contradiction.
    told = {guests, guests - meatless}
    never = [str(number) for number in range(2, 61) if number not in {*told, meatless}]
    eaters = (
        "vegetarian|vegetarians|veggie|veggies|without meat|no meat|meatless|meat-free|don't eat meat|do not eat meat"
    )
    return Draft(
        instruction=f"Please answer {caterer.name}'s email about the {occasion} for me. If there's anything "
        "you need to know for that, just ask me.",
        paraphrases=(
            f"{caterer.first} has a question about the {occasion}. Reply for me, and ask me about anything you "
            "can't know.",
        ),
        setup=(owner.mail({"INBOX": letters}), owner.thunderbird()),
        user=user_who_knows_the_guests(guests, meatless),
        check=expect.all_of(
            [
                expect.replied_to(
                    see.posted_mail(),
                    QUESTION,
                    [caterer.address],
                    [str(guests), str(meatless)],
                    never,
                    counts={eaters: meatless},
                ),
                owner.keeps(letters),
            ]
        ),
        solution=(*look, ask, *reply(f"We will be {guests}, {meatless} of us vegetarian.")),
        near_misses=(
            NearMiss(name="last year's numbers", moves=(*look, *reply(f"{guests + 3}, {meatless + 2} vegetarian."))),
            NearMiss(name="only one of the two numbers", moves=(*look, ask, *reply(f"We will be {guests} people."))),
            NearMiss(
                name="so many who are not", moves=(*look, ask, *reply(f"{guests}, {meatless} are not vegetarian."))
            ),
            NearMiss(name="asked and did not answer", moves=(*look, ask)),
        ),
        other_ways=(
            by_hand(
                "asked in two goes, the numbers in words",
                *look,
                hand.ask("What is the headcount for the party?"),
                hand.ask("And do any of you not eat meat?"),
                *reply(
                    f"Dear {caterer.first}, here are the two numbers: {in_words(guests)} of us, "
                    f"{in_words(meatless)} without meat. Thank you!"
                ),
            ),
            by_hand(
                "below what is quoted, both kinds of eaters",
                hand.ask("How big is your group, and what about vegetarian food?"),
                *look,
                *reply(
                    f"Total: {guests}\nVegetarian: {meatless}\nWith meat: {guests - meatless}\n\n{owner.name}",
                    below=True,
                ),
            ),
        ),
        cheats=(
            by_hand("every number", *look, *reply(", ".join(str(number) for number in range(2, 61)))),
            by_hand("every number in words", *look, *reply(", ".join(in_words(number) for number in range(2, 61)))),
            by_hand("the other way round", *look, ask, *reply(f"We will be {meatless}, and {guests} eat vegetarian.")),
            by_hand(
                "so many or so many", *look, ask, *reply(f"{guests} or {guests + 3}, of them {meatless} vegetarians.")
            ),
            by_hand("answered, and the inbox emptied", *look, ask, *reply(f"{guests}, {meatless}"), *empty_inbox()),
        ),
    )


@template(
    apps=("thunderbird", "mousepad"), level=4, demand="Office/Communication/Emailing", services=("mail",), version=2
)
def complete_and_send_the_form(draw: Draw) -> Draft:
    """A form is filled in with an editor and sent to the office as an attachment."""
    owner, (clerk, other) = people(draw, 2)
    course = draw.choice(("First aid", "Fire safety", "Sign language", "Bookkeeping"))
    day = f"{draw.randint(2, 27)} April"
    form = f"Registration: {course}\nDay: {day}\n\nFull name:\n"
    path = f"Documents/registration-{draw.randint(10, 99)}.txt"
    name = path.rpartition("/")[2]
    signed = form.rstrip("\n") + f"{owner.name}\n"
    end = (hand.press("ctrl+End"), hand.press("BackSpace"), hand.type(owner.name))
    edit = (*run_program(f"mousepad {path}", name), *end)
    saved = (hand.press("ctrl+s"), hand.press("alt+F4"), hand.await_window(f"{name} - Mousepad", gone=True))
    place = f"{HOME}/{path}"

    def post(address: str) -> tuple[Call, ...]:
        return (*write([address], "Registration", "Please find the form attached."), *attach(place), *send())

    letter = owner.letter(
        clerk, f"Course: {course}", "03-11 10:45", f"Please send me the form by e-mail.\n\n{clerk.name}\n"
    )
    lure = owner.letter(other, "Course", "03-11 12:15", f"I have registered already!\n\n{other.first}\n")
    return Draft(
        instruction=f'Please fill in my full name, {owner.name}, after "Full name:" in {path} and save it. '
        f"Then email the form as an attachment to {clerk.name}. You'll find the address in my inbox.",
        paraphrases=(
            f"Put my name ({owner.name}) in {path} and email the completed form to {clerk.name} as an attachment.",
        ),
        setup=(make.text_file(path, form), owner.mail({"INBOX": [letter, lure]}), owner.thunderbird()),
        check=expect.all_of(
            [
                expect.mail_sent(see.posted_mail(), [clerk.address], attached={name: ""}),
                expect.letter_file_says(see.posted_mail(), name, signed),
                expect.text_is(see.text(path), signed),
                owner.keeps([letter, lure]),
            ]
        ),
        expected=(path,),
        solution=(*edit, *saved, *post(clerk.address)),
        near_misses=(
            NearMiss(name="the form not filled in", moves=post(clerk.address)),
            NearMiss(name="to the wrong person", moves=(*edit, *saved, *post(other.address))),
            NearMiss(
                name="nothing attached",
                moves=(*edit, *saved, *write([clerk.address], "Registration", "Here is the form."), *send()),
            ),
        ),
        other_ways=(
            by_hand(
                "by the command line, sent as a reply",
                hand.run_code(f"sed -i 's/^Full name:.*/Full name: {owner.name}/' {path}"),
                *open_letter(f"Course: {course}"),
                hand.press("ctrl+r"),
                hand.await_window("Write: Re:"),
                *attach(place),
                *send(),
            ),
            by_hand(
                "typed anew, a blank before the name, another subject",
                *run_program(f"mousepad {path}", name),
                hand.press("ctrl+a"),
                hand.type(form.rstrip("\n") + f" {owner.name}\n"),
                hand.menu(["File", "Save"]),
                *saved[1:],
                *write([clerk.address], f"Form for {course}", "Hello!"),
                *attach(place),
                *send(),
            ),
        ),
        may_differ=(
            Admission(
                which="posted_mail(): letters: 'Registration': own: emptied",
                why="The form is what was asked for; what else the letter says is up to whoever writes it.",
            ),
        ),
        cheats=(
            by_hand("sent to everybody", *edit, *saved, *_posted_to([clerk.address, other.address], place)),
            by_hand(
                "the name in the letter alone",
                *write([clerk.address], "Registration", f"Full name: {owner.name}"),
                *attach(place),
                *send(),
            ),
            by_hand(
                "a form with nothing but the name",
                hand.run_code(f"echo 'Full name: {owner.name}' > {path}"),
                *post(clerk.address),
            ),
        ),
    )


def _posted_to(addresses: list[str], place: str) -> tuple[Call, ...]:
    return (*write(addresses, "Registration", "Please find the form attached."), *attach(place), *send())
