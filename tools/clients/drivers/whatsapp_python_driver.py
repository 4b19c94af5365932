import json

import requests

from recorder import call, call_refused, find_delivery, new_contact, read_file, world

contact, received = world["contact"], world["received"]
_request = requests.Session.request


def to_hub(self, method, url, **options):
    # The address is a constant in each function of this client, so its users have to change where requests go.
    if url.startswith("https://developers.facebook.com/"):
        # The client reads the changelog of the Graph API whenever it is constructed.
        page = requests.Response()
        page.status_code, page._content = 200, b""
        return page
    return _request(self, method, url.replace("https://graph.facebook.com", world["graph"]), **options)


requests.Session.request = to_hub

from whatsapp import Message, WhatsApp  # noqa: E402


def connect(number):
    numbers = {"main": number["phoneNumberId"]}
    return WhatsApp(number["token"], numbers, logger=False, update_check=False, debug=False, version="v22.0")


client = connect(world)
is_sent = lambda answer: answer["messages"][0]["id"].startswith("wamid.")
path = lambda kind: world["files"][kind]["path"]
send = lambda client, to: Message(instance=client, to=to, content="Olá").send()

call("send text", lambda: send(client, contact), is_sent)
media = call("upload media", lambda: client.upload_media(path("png")), lambda answer: answer["id"])
upload = lambda kind: client.upload_media(path(kind))["id"]
call("send image by id", lambda: client.send_image(media["id"], contact, link=False), is_sent)
call("send image by link", lambda: client.send_image("https://example.com/menu.png", contact), is_sent)
call("send document", lambda: client.send_document(upload("pdf"), contact, link=False), is_sent)
call("send video", lambda: client.send_video(upload("mp4"), contact, link=False), is_sent)
call("send audio", lambda: client.send_audio(upload("ogg"), contact, link=False), is_sent)
call("send sticker", lambda: client.send_sticker("https://example.com/a.webp", contact), is_sent)
call("send location", lambda: client.send_location("-23.55", "-46.63", "Padaria", "Praça da Sé", contact), is_sent)
card = {"name": {"formatted_name": "Ana Souza", "first_name": "Ana"}, "phones": [{"phone": "+5511988880001"}]}
call("send contacts", lambda: client.send_contacts([card], contact), is_sent)
button = {"type": "button", "body": {"text": "Ok?"}}
button["action"] = {"buttons": [{"type": "reply", "reply": {"id": "yes", "title": "Sim"}}]}
call("send buttons", lambda: client.send_reply_button(button, contact), is_sent)
sections = [{"title": "Pães", "rows": [{"id": "1", "title": "Francês"}]}]
choice = {"header": "Pães", "body": "Escolha", "action": {"button": "Ver", "sections": sections}}
call("send list", lambda: client.send_button(choice, contact), is_sent)
language = world["template"]["language"]
send_template = lambda name: client.send_template(name, new_contact(), components=[], lang=language)
call("send template", lambda: send_template(world["template"]["name"]), is_sent)

text = json.loads(find_delivery("text")[0])
message = call("read a webhook with a message", lambda: Message(instance=client, data=text), lambda found: found.content)
call("reply", lambda: message.reply("Sim"), is_sent)
call("mark as read", lambda: message.mark_as_read(), lambda answer: answer["success"])


def download(url):
    with open(client.download_media(url, "image/png", "downloaded"), "rb") as file:
        return file.read()


call("get media", lambda: client.query_media_url(media["id"]), len)
call("download media", lambda: download(client.query_media_url(media["id"])), lambda found: found == read_file("png"))
call("download received media by its url", lambda: download(received["mediaUrl"]), lambda found: found[:4] == b"\x89PNG")
call("delete media", lambda: client.delete_media(media["id"]), lambda answer: answer["success"])



def read_code(outcome):
    # A refusal is a result of this client, except that a template raises an exception of its own for each code.
    return outcome.args[0]["code"] if isinstance(outcome, Exception) else outcome["error"]["code"]


call_refused(
    read_code,
    send=lambda number: send(connect(number), number.get("to", contact)),
    send_template=send_template,
)

status = json.loads(find_delivery("status")[0])
call("read a webhook with a status", lambda: client.get_delivery(status), len)
