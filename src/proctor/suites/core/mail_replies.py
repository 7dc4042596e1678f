"""Tasks in which letters are answered with what stands elsewhere or what only the user knows."""

from __future__ import annotations

from proctor.home import HOME
from proctor.suites.parts.post import people
from proctor.suites.parts.thunderbird import attach, open_letter, reply, run_program, send, write
from proctor.tasks.call import Call
from proctor.tasks.draw import Draw
from proctor.tasks.shelves import expect, hand, make, see
from proctor.tasks.task import Draft, NearMiss, Reply, User
from proctor.tasks.template import template

QUESTION = "question.1@example"


@template(
    apps=("thunderbird", "mousepad"), level=4, demand="Office/Communication/Emailing", services=("mail",), version=2
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

    return Draft(
        instruction=f"{asker.name} emailed me to ask for a price. You'll find it in Documents/painting.txt. "
        "Please reply to that email with the amount.",
        paraphrases=(
            f"Can you answer {asker.first}'s email? The price {asker.first} is asking about is in my notes, "
            "Documents/painting.txt.",
        ),
        setup=(make.text_file("Documents/painting.txt", notes), owner.mail({"INBOX": letters}), owner.thunderbird()),
        check=expect.replied_to(
            see.posted_mail(), QUESTION, [asker.address], [str(costs[wanted])], [str(costs[room]) for room in rooms[1:]]
        ),
        solution=answer(wanted),
        near_misses=(
            NearMiss(name="the price of another room", moves=answer(wrong)),
            NearMiss(name="answered the other message", moves=answer(wanted, "Painting")),
            NearMiss(name="not sent", moves=answer(wanted)[:-2]),
        ),
    )


@template(apps=("thunderbird",), level=3, demand="Office/Communication/Emailing", services=("mail",), version=2)
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
    about = ("guests", "vegetarian")
    known = User(replies=(Reply(about=about, reply=f"There'll be {guests} of us, and {meatless} are vegetarian."),))
    ask = hand.ask("How many people are coming, and how many of them are vegetarians?")
    look = open_letter(subject)
    # Who names every number has told nothing; a sum of the two kinds of eaters is no contradiction.
    told = {guests, guests - meatless}
    never = [str(number) for number in range(10, 61) if number not in told]
    return Draft(
        instruction=f"Please answer {caterer.name}'s email about the {occasion} for me. If there's anything "
        "you need to know for that, just ask me.",
        paraphrases=(
            f"{caterer.first} has a question about the {occasion}. Reply for me, and ask me about anything you "
            "can't know.",
        ),
        setup=(owner.mail({"INBOX": letters}), owner.thunderbird()),
        user=known,
        check=expect.replied_to(see.posted_mail(), QUESTION, [caterer.address], [str(guests), str(meatless)], never),
        solution=(*look, ask, *reply(f"We will be {guests}, {meatless} of us vegetarian.")),
        near_misses=(
            NearMiss(
                name="last year's numbers",
                moves=(*look, *reply(f"We will be {guests + 3}, {meatless + 2} vegetarian.")),
            ),
            NearMiss(name="only one of the two numbers", moves=(*look, ask, *reply(f"We will be {guests} people."))),
            NearMiss(name="asked and did not answer", moves=(*look, ask)),
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
    edit = (
        *run_program(f"mousepad {path}", name),
        hand.press("ctrl+End"),
        hand.press("BackSpace"),
        hand.type(owner.name),
    )
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
    )
