"""What the drivers in Python share; the same as recorder.js."""

import base64
import json
import os
import re
import time
import urllib.request

with open(os.environ["CLIENT_WORLD"], encoding="utf-8") as file:
    world = json.load(file)

own_template = "ready_" + re.sub(r"\W+", "_", os.environ["CLIENT_NAME"]).lower()
_contacts = 5_511_900_000_000 + int(time.time() * 1000) % 10_000_000 * 10


def new_contact() -> str:
    global _contacts
    _contacts += 1
    return str(_contacts)


def find_delivery(kind: str) -> tuple[bytes, str]:
    """The bytes and the signature header of a delivery of this kind."""
    found = next(one for one in world["webhook"]["deliveries"] if one["kind"] == kind)
    return base64.b64decode(found["body"]), found["signature"]


def read_file(kind: str) -> bytes:
    with open(world["files"][kind]["path"], "rb") as file:
        return file.read()


def call(name, make, check=lambda result: True):
    """Makes a call of the client. It works if it does not raise, and if check accepts its result."""
    try:
        result = make()
        works = bool(check(result))
        _report(name, works, f"unexpected result: {result!r:.300}")
        return result
    except Exception as err:
        _report(name, False, f"{type(err).__name__}: {err}")
        return None


def call_refused(read_code, *, send, send_template=None, list_templates=None):
    """Makes calls that the hub must refuse. Each works if read_code finds the code in the error or result of the client."""
    send_only, disconnected = world["sendOnly"], world["disconnected"]
    lost = {"kind": "error_after", "status": 500, "code": 131000}
    kinds = [
        ("wrong token", 190, lambda: send({**world, "token": world["token"] + "x"}), None),
        ("number of another channel", 100, lambda: send({**world, "phoneNumberId": send_only["phoneNumberId"]}), None),
        ("bad parameter", 131009, lambda: send({**world, "to": "1"}), None),
        ("number not connected", 133010, lambda: send(disconnected), None),
        ("limit", 130429, lambda: send(world), {"kind": "throttle", "code": 130429}),
        ("unknown outcome", 135000, lambda: send(world), lost),
    ]
    if list_templates:
        kinds.append(("missing scope", 10, lambda: list_templates(send_only), None))
    if send_template:
        kinds.append(("unknown template", 132001, lambda: send_template("not_there"), None))
    for kind, code, make, fault in kinds:
        if fault:
            control("POST", "/faults", {"path": "/messages", "times": 1, **fault})
        try:
            outcome = make()
        except Exception as err:
            outcome = err
        try:
            found = read_code(outcome)
        except Exception:
            found = None
        if fault:
            control("DELETE", "/faults", {})
        _report(f"refusal: {kind}", found == code, f"expected {code}: {type(outcome).__name__} {outcome!r:.300}")


def control(method: str, path: str, body: dict):
    """Calls the control API of the simulated upstream."""
    request = urllib.request.Request(world["simulator"] + path, method=method, data=json.dumps(body).encode())
    with urllib.request.urlopen(request) as response:
        return json.load(response)


def _report(name, works, problem):
    print(json.dumps({"name": name, "works": works, **({} if works else {"problem": problem})}), flush=True)
