import json

from heyoo import WhatsApp

from recorder import call, call_refused, find_delivery, new_contact, read_file, world

contact, received = world["contact"], world["received"]


def connect(number):
    # The addresses are constants of this client. They are public members, which can be set afterwards.
    client = WhatsApp(number["token"], number["phoneNumberId"])
    client.base_url = client.v15_base_url = f"{world['graph']}/v15.0"
    client.url = f"{client.base_url}/{number['phoneNumberId']}/messages"
    return client


client = connect(world)
is_sent = lambda answer: answer["messages"][0]["id"].startswith("wamid.")
path = lambda kind: world["files"][kind]["path"]

call("send text", lambda: client.send_message("Olá", contact), is_sent)
media = call("upload media", lambda: client.upload_media(path("png")), lambda answer: answer["id"])
upload = lambda kind: client.upload_media(path(kind))["id"]
call("send image by id", lambda: client.send_image(media["id"], contact, link=False), is_sent)
call("send image by link", lambda: client.send_image("https://example.com/menu.png", contact), is_sent)
call("send document", lambda: client.send_document(upload("pdf"), contact, link=False), is_sent)
call("send video", lambda: client.send_video(upload("mp4"), contact, link=False), is_sent)
call("send audio", lambda: client.send_audio(upload("ogg"), contact, link=False), is_sent)
call("send sticker", lambda: client.send_sticker("https://example.com/a.webp", contact), is_sent)
call("send location", lambda: client.send_location(-23.55, -46.63, "Padaria", "Praça da Sé", contact), is_sent)
card = {"name": {"formatted_name": "Ana Souza", "first_name": "Ana"}, "phones": [{"phone": "+5511988880001"}]}
call("send contacts", lambda: client.send_contacts([card], contact), is_sent)
call("send reaction", lambda: client.send_reaction("👍", received["messageId"], contact), is_sent)
button = {"type": "button", "body": {"text": "Ok?"}}
button["action"] = {"buttons": [{"type": "reply", "reply": {"id": "yes", "title": "Sim"}}]}
call("send buttons", lambda: client.send_reply_button(button, contact), is_sent)
sections = [{"title": "Pães", "rows": [{"id": "1", "title": "Francês"}]}]
choice = {"header": "Pães", "body": "Escolha", "action": {"button": "Ver", "sections": sections}}
call("send list", lambda: client.send_button(choice, contact), is_sent)
send_template = lambda name: client.send_template(name, new_contact(), [], lang=world["template"]["language"])
call("send template", lambda: send_template(world["template"]["name"]), is_sent)
call("reply", lambda: client.reply_to_message(received["messageId"], contact, "Sim"), is_sent)
call("mark as read", lambda: client.mark_as_read(received["messageId"]), lambda answer: answer["success"])


def download(url):
    with open(client.download_media(url, "image/png", "downloaded"), "rb") as file:
        return file.read()


call("get media", lambda: client.query_media_url(media["id"]), len)
call("download media", lambda: download(client.query_media_url(media["id"])), lambda found: found == read_file("png"))
call("download received media by its url", lambda: download(received["mediaUrl"]), lambda found: found[:4] == b"\x89PNG")
call("delete media", lambda: client.delete_media(media["id"]), lambda answer: answer["success"])

# A refusal is a result of this client, and no exception.
call_refused(
    lambda answer: answer["error"]["code"],
    send=lambda number: connect(number).send_message("Olá", number.get("to", contact)),
    send_template=send_template,
)

read = lambda kind: json.loads(find_delivery(kind)[0])
is_received = lambda found: found == received["messageId"]
call("read a webhook with a message", lambda: client.get_message_id(read("text")), is_received)
call("read a webhook with a file", lambda: client.get_image(read("image")), lambda image: image["id"])
call("read a webhook with a status", lambda: client.get_delivery(read("status")), len)
