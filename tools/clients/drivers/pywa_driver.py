import httpx
from pywa import WhatsApp, types
from pywa.errors import WhatsAppError
from pywa.types.templates import BodyText, Template, TemplateCategory, TemplateLanguage

from recorder import call, call_refused, control, find_delivery, new_contact, own_template, read_file, world

contact, received, webhook = world["contact"], world["received"], world["webhook"]


def connect(number):
    # The client sets the address of the session that it is given, so it is changed after that.
    session = httpx.Client()
    wa = WhatsApp(
        phone_id=number["phoneNumberId"],
        token=number["token"],
        waba_id=number["wabaId"],
        session=session,
        server=None,
        app_id="123456789012345",
        app_secret=webhook["secret"],
        verify_token="chosen",
    )
    session.base_url = f"{world['graph']}/v23.0"
    return wa


wa = connect(world)
is_sent = lambda sent: sent.id.startswith("wamid.")
is_done = lambda result: bool(result)
png = read_file("png")

call("send text", lambda: wa.send_message(contact, "Olá", preview_url=True), is_sent)
media = call("upload media", lambda: wa.upload_media(png, mime_type="image/png", filename="a.png"))
upload = lambda kind: wa.upload_media(read_file(kind), mime_type=world["files"][kind]["type"], filename=f"a.{kind}").id
call("send image by id", lambda: wa.send_image(contact, media.id, caption="Pão"), is_sent)
call("send image by link", lambda: wa.send_image(contact, "https://example.com/menu.png"), is_sent)
call("send image by path", lambda: wa.send_image(contact, world["files"]["png"]["path"], mime_type="image/png"), is_sent)
call("send document", lambda: wa.send_document(contact, upload("pdf"), filename="menu.pdf"), is_sent)
call("send video", lambda: wa.send_video(contact, upload("mp4")), is_sent)
call("send audio", lambda: wa.send_audio(contact, upload("ogg")), is_sent)
call("send sticker", lambda: wa.send_sticker(contact, upload("webp")), is_sent)
call("send location", lambda: wa.send_location(contact, -23.55, -46.63, "Padaria", "Praça da Sé"), is_sent)
name = types.Contact.Name(formatted_name="Ana Souza", first_name="Ana")
card = types.Contact(name=name, phones=[types.Contact.Phone(phone="+5511988880001")])
call("send contacts", lambda: wa.send_contact(contact, card), is_sent)
call("send reaction", lambda: wa.send_reaction(contact, "👍", received["messageId"]), is_sent)
call("send buttons", lambda: wa.send_message(contact, "Ok?", buttons=[types.Button("Sim", "yes")]), is_sent)
rows = [types.SectionRow(title="Francês", callback_data="1")]
sections = types.SectionList("Ver", sections=[types.Section("Pães", rows=rows)])
call("send list", lambda: wa.send_message(contact, "Escolha", buttons=sections), is_sent)
link = types.URLButton("Abrir", "https://example.com")
call("send link button", lambda: wa.send_message(contact, "Veja", buttons=link), is_sent)
portuguese = TemplateLanguage.PORTUGUESE_BR
send_template = lambda name: wa.send_template(new_contact(), name, portuguese)
call("send template", lambda: send_template(world["template"]["name"]), is_sent)
call("reply", lambda: wa.send_message(contact, "Sim", reply_to_message_id=received["messageId"]), is_sent)
call("mark as read", lambda: wa.mark_message_as_read(received["messageId"]), is_done)
call("show typing", lambda: wa.indicate_typing(received["messageId"]), is_done)

call("get media", lambda: wa.get_media_url(media.id), lambda found: found.mime_type == "image/png")
call("download media", lambda: wa.get_media_bytes(wa.get_media_url(media.id).url), lambda found: found == png)
get_received = lambda: wa.get_media_bytes(wa.get_media_url(received["mediaId"]).url)
call("download received media by id", get_received, len)
call("download received media by its url", lambda: wa.get_media_bytes(received["mediaUrl"]), len)
call("delete media", lambda: wa.delete_media(media.id), is_done)

wanted = Template(
    name=own_template,
    language=portuguese,
    category=TemplateCategory.UTILITY,
    components=[BodyText("Seu pedido está pronto.")],
)
created = call("create template", lambda: wa.create_template(wanted), lambda found: found.id)
call("list templates", lambda: wa.get_templates(), lambda found: any(one.name == own_template for one in found))
call("get template", lambda: wa.get_template(created.id), lambda found: found.name == own_template)
if created:
    # A template can be edited once it has been reviewed.
    control("POST", f"/templates/{created.id}", {"status": "APPROVED"})
edit = lambda: wa.update_template(created.id, new_components=[BodyText("Seu pedido chegou.")])
call("edit template", edit, is_done)
call("delete template", lambda: wa.delete_template(own_template), is_done)
call("update profile", lambda: wa.update_business_profile(about="Pão quente"), is_done)
call("get profile", wa.get_business_profile, lambda profile: profile.about == "Pão quente")
call("update profile picture", lambda: wa.update_business_profile(profile_picture=png), is_done)
call("get number", wa.get_business_phone_number, lambda number: number.id == world["phoneNumberId"])
is_own_number = lambda numbers: [one.id for one in numbers] == [world["phoneNumberId"]]
call("list numbers", wa.get_business_phone_numbers, is_own_number)
call("get account", wa.get_business_account, lambda account: account.id == world["wabaId"])
call("get settings", wa.get_business_phone_number_settings)
call("set conversational automation", lambda: wa.update_conversational_automation(["Ver o cardápio"]), is_done)
call("get commerce settings", wa.get_commerce_settings)
call("update commerce settings", lambda: wa.update_commerce_settings(is_cart_enabled=True), is_done)
call("set username", lambda: wa.set_username("padaria.sao.joao"), is_done)
call("get username", wa.get_current_username, lambda found: found.username == "padaria.sao.joao")
call("delete username", wa.delete_username, is_done)
call("block a contact", lambda: wa.block_users([contact]), lambda result: len(result.added_users) == 1)
call("list blocked contacts", wa.get_blocked_users, lambda users: len(list(users)) == 1)
call("unblock a contact", lambda: wa.unblock_users([contact]), lambda result: len(result.removed_users) == 1)
qr = call("create QR code", lambda: wa.create_qr_code("Oi"), lambda found: found.code)
call("get QR code", lambda: wa.get_qr_code(qr.code), lambda found: found.code == qr.code)
call("list QR codes", wa.get_qr_codes, lambda codes: any(one.code == qr.code for one in codes))
call("change QR code", lambda: wa.update_qr_code(qr.code, "Bom dia"), lambda found: found.code == qr.code)
call("delete QR code", lambda: wa.delete_qr_code(qr.code), is_done)
callback = (webhook["callbackUrl"], "chosen")
call("set the callback of the webhook", lambda: wa.override_waba_callback_url(*callback), is_done)
call("set the callback of the number", lambda: wa.override_phone_callback_url(*callback), is_done)

call_refused(
    lambda err: err.code if isinstance(err, WhatsAppError) else None,
    send=lambda number: connect(number).send_message(number.get("to", contact), "Olá"),
    send_template=send_template,
    list_templates=lambda number: connect(number).get_templates(),
)

body, signature = find_delivery("text")
verify = lambda header: wa.webhook_update_validator(body, header)
call("verify a webhook", lambda: verify(signature), lambda problem: problem is None and verify("sha256=00") is not None)
messages, statuses = [], []
wa.on_message(lambda _, message: messages.append(message))
wa.on_message_status(lambda _, status: statuses.append(status))
handle = lambda kind: wa.webhook_update_handler(find_delivery(kind)[0])
call("read a webhook with a message", lambda: handle("text"), lambda _: messages[0].id == received["messageId"])
call("read a webhook with a file", lambda: handle("image"), lambda _: messages[1].image.get_bytes())
call("read a webhook with a status", lambda: handle("status"), lambda _: statuses[0].id.startswith("wamid."))
