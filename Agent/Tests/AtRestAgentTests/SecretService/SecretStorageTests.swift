@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

/// SecretStorage for Python, on which keyring for Python rests.
@Suite(.enabled(if: SecretServiceRun.isInstalled)) struct SecretStorageTests {
  @Test func itemsHaveLabelsAttributesAndDates() throws {
    let secrets = try SecretServiceRun()
    let text = try secrets.python(
      """
      collection = secretstorage.get_default_collection(bus)
      print(collection.get_label(), collection.is_locked(), collection.collection_path)
      attributes = {"service": "mail", "user": "eva", "note": "", "é": "ü ☃"}
      item = collection.create_item("Mail ☃", attributes, b"\\x00\\xffsecret", content_type="application/octet-stream")
      print(item.get_label(), sorted(item.get_attributes().items()) == sorted(attributes.items()))
      print(item.get_secret(), item.get_secret_content_type(), item.is_locked())
      print(item.get_created() > 1.6e9, item.get_modified() >= item.get_created())
      item.set_label("Post")
      item.set_attributes({"user": "mia"})
      item.set_secret(b"other")
      print(item.get_label(), item.get_attributes(), item.get_secret())
      print(len(list(collection.search_items({"user": "eva"}))), len(list(collection.search_items({"user": "mia"}))))
      print(len(list(collection.get_all_items())))
      item.delete()
      try: item.get_secret()
      except ItemNotFoundException: print("gone")
      """)
    #expect(
      text.components(separatedBy: "\n") == [
        "Login False /org/freedesktop/secrets/aliases/default", "Mail ☃ True",
        "b'\\x00\\xffsecret' application/octet-stream False", "True True",
        "Post {'user': 'mia'} b'other'", "0 1", "1", "gone",
      ])
  }

  @Test func collectionsAreMadeAndDeleted() throws {
    let secrets = try SecretServiceRun()
    let text = try secrets.python(
      """
      made = secretstorage.create_collection(bus, "aws-vault 1")
      print(made.collection_path, made.get_label())
      again = secretstorage.create_collection(bus, "aws-vault 1")
      print(again.collection_path != made.collection_path)
      aliased = secretstorage.create_collection(bus, "x", "mine")
      print(secretstorage.create_collection(bus, "y", "mine").collection_path == aliased.collection_path)
      made.create_item("a", {"k": "v"}, b"1")
      default = secretstorage.get_default_collection(bus)
      print(len(list(default.search_items({"k": "v"}))), len(list(made.search_items({"k": "v"}))))
      print(len(list(secretstorage.search_items(bus, {"k": "v"}))))
      made.set_label("renamed")
      print(sorted(c.get_label() for c in secretstorage.get_all_collections(bus)))
      made.delete()
      print(len(list(secretstorage.search_items(bus, {"k": "v"}))))
      print(sorted(c.get_label() for c in secretstorage.get_all_collections(bus)))
      """)
    #expect(
      text.components(separatedBy: "\n") == [
        "/org/freedesktop/secrets/collection/aws_2dvault_201 aws-vault 1", "True", "True", "0 1",
        "1",
        "['Login', 'Session', 'aws-vault 1', 'renamed', 'x']", "0",
        "['Login', 'Session', 'aws-vault 1', 'x']",
      ])
  }

  @Test func replacingNeedsTheSameAttributes() throws {
    let secrets = try SecretServiceRun()
    let text = try secrets.python(
      """
      c = secretstorage.get_default_collection(bus)
      first = c.create_item("a", {"k": "v", "l": "w"}, b"1")
      print(c.create_item("b", {"k": "v"}, b"2", replace=True).item_path == first.item_path)
      print(c.create_item("c", {"k": "v", "l": "w"}, b"3", replace=True).item_path == first.item_path)
      print(first.get_label(), first.get_secret())
      print(c.create_item("c", {"k": "v", "l": "w"}, b"4", replace=False).item_path == first.item_path)
      """)
    #expect(text.components(separatedBy: "\n") == ["False", "True", "c b'3'", "False"])
  }

  /// Items and collections of a locked store are there, and their contents are not.
  @Test func lockedItemsAreFound() throws {
    let secrets = try SecretServiceRun()
    try secrets.python(
      """
      made = secretstorage.create_collection(bus, "work")
      made.create_item("Mail", {"user": "eva"}, b"mail secret")
      """)
    try secrets.lock()
    let text = try secrets.python(
      """
      print(sorted(c.get_label() for c in secretstorage.get_all_collections(bus)))
      found = list(secretstorage.search_items(bus, {"user": "eva"}))
      print(len(found), len(list(secretstorage.search_items(bus, {"user": "mia"}))))
      item = found[0]
      print(item.is_locked(), repr(item.get_label()))
      for call in [item.get_secret, item.unlock, lambda: item.set_secret(b"x")]:
        try: print(call())
        except Exception as error: print("locked" in str(error).lower())
      """)
    #expect(
      text.components(separatedBy: "\n") == [
        "['Login', 'Session', 'work']", "1 0", "True ''", "True", "True", "True",
      ])
  }

  /// Before the first unlock, the agent does not know who may see which items. It says so.
  @Test func beforeTheFirstUnlockNothingIsMissing() throws {
    let secrets = try SecretServiceRun()
    try secrets.python("secretstorage.create_collection(bus, 'work')")
    secrets.program.kill()
    let next = try AgentProgram(
      secrets.run.location, in: secrets.run.folder.appendingPathComponent("next"))
    let result = try secrets.run.execute(
      "/usr/bin/python3",
      [
        "-c",
        """
        import secretstorage
        bus = secretstorage.dbus_init()
        print(sorted(c.get_label() for c in secretstorage.get_all_collections(bus)))
        print(secretstorage.get_default_collection(bus).is_locked())
        try: print(list(secretstorage.search_items(bus, {"user": "eva"})))
        except Exception as error: print("unlocked since" in str(error))
        try: print(list(secretstorage.get_default_collection(bus).get_all_items()))
        except Exception as error: print("unlocked since" in str(error))
        """,
      ], with: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(next.socket)-bus"])
    #expect(
      result.text.split(separator: "\n") == [
        "['Login', 'Session', 'work']", "True", "True", "True",
      ],
      "\(result)")
  }

  /// Items of the collection `session` last as long as the agent.
  @Test func sessionItemsEndWithTheAgent() throws {
    let secrets = try SecretServiceRun()
    try secrets.python(
      """
      session = secretstorage.Collection(bus, "/org/freedesktop/secrets/collection/session")
      session.create_item("a", {"k": "v"}, b"1")
      secretstorage.get_default_collection(bus).create_item("b", {"k": "v"}, b"2")
      """)
    #expect(
      try secrets.python("print(len(list(secretstorage.search_items(bus, {'k': 'v'}))))") == "2")
    secrets.program.kill()
    let next = try AgentProgram(
      secrets.run.location, in: secrets.run.folder.appendingPathComponent("next"))
    try next.connect().send(.unlock(passcode: AgentRun.secret(AgentRun.passcode)))
    let left = try secrets.run.execute(
      "/usr/bin/secret-tool", ["search", "--all", "k", "v"],
      with: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(next.socket)-bus"])
    #expect(left.text.contains("label = b") && !left.text.contains("label = a"), "\(left)")
  }

  /// keyring for Python, as programs use it.
  @Test func keyringWorks() throws {
    let secrets = try SecretServiceRun()
    let text = try secrets.python(
      """
      from keyring.backends import SecretService
      keyring = SecretService.Keyring()
      keyring.set_password("system", "eva", "pass ☃")
      print(keyring.get_password("system", "eva"), keyring.get_password("system", "mia"))
      keyring.set_password("system", "eva", "other")
      print(keyring.get_password("system", "eva"), keyring.get_credential("system", None).username)
      keyring.delete_password("system", "eva")
      print(keyring.get_password("system", "eva"))
      """)
    #expect(text.components(separatedBy: "\n") == ["pass ☃ None", "other eva", "None"])
  }

  /// A tool that looks at buses shows every object.
  @Test(.enabled(if: AgentRun.isInstalled("busctl"))) func theObjectsAreShown() throws {
    let secrets = try SecretServiceRun()
    try secrets.tool("store", "--label=Mail", "service", "mail", input: "mail secret")
    let tree = try secrets.busctl("--list", "tree", "org.freedesktop.secrets")
    for path in ["aliases/default", "collection/login", "collection/session"] {
      #expect(tree.text.contains("/org/freedesktop/secrets/\(path)\n"), "\(tree)")
    }
    let item = try #require(
      tree.text.split(separator: "\n").first { $0.contains("/collection/login/") })
    let label = try secrets.busctl(
      "get-property", "org.freedesktop.secrets", String(item), "org.freedesktop.Secret.Item",
      "Label")
    #expect(label.text == "s \"Mail\"\n")
    let shown = try secrets.busctl("introspect", "org.freedesktop.secrets", String(item))
    #expect(shown.text.contains(".GetSecret") && shown.text.contains("(oayays)"), "\(shown)")
  }

  /// libsecret's name for the collection of the session is an alias.
  @Test func theSessionHasAnAlias() throws {
    let secrets = try SecretServiceRun()
    let stored = try secrets.tool(
      "store", "--collection=session", "--label=a", "k", "v", input: "session secret")
    #expect(stored.status == 0, "\(stored)")
    #expect(try secrets.tool("lookup", "k", "v").text == "session secret")
    let text = try secrets.python(
      "print(secretstorage.Collection(bus, '/org/freedesktop/secrets/aliases/session').get_label())"
    )
    #expect(text == "Session")
  }

  /// Names that differ only in the spelling of Unicode would be one name here, and two in the store.
  @Test func twoSpellingsOfANameAreRefused() throws {
    let secrets = try SecretServiceRun()
    let text = try secrets.python(
      """
      c = secretstorage.get_default_collection(bus)
      try: c.create_item("a", {"e\u{301}": "1", "\u{e9}": "2"}, b"x")
      except Exception as error: print("arguments" in str(error))
      c.create_item("a", {"e\u{301}": "1"}, b"x")
      print(len(list(c.search_items({"e\u{301}": "1"}))), len(list(c.search_items({"\u{e9}": "1"}))))
      """)
    #expect(text.split(separator: "\n") == ["True", "1 0"])
  }

  /// An item is never left without its collection.
  @Test func aCollectionThatIsDeletedKeepsNoItems() throws {
    let secrets = try SecretServiceRun()
    let text = try secrets.python(
      """
      import threading
      stop = threading.Event()
      path = secretstorage.create_collection(bus, "work").collection_path
      def make():
        bus = secretstorage.dbus_init()
        while not stop.is_set():
          try: secretstorage.Collection(bus, path).create_item("a", {"k": "v"}, b"1")
          except Exception: pass
      threads = [threading.Thread(target=make) for _ in range(3)]
      for t in threads: t.start()
      for _ in range(15):
        secretstorage.Collection(bus, path).delete()
        secretstorage.create_collection(bus, "work")
      secretstorage.Collection(bus, path).delete()
      stop.set()
      for t in threads: t.join()
      made = secretstorage.create_collection(bus, "work")
      print(made.collection_path == path, len(list(made.get_all_items())))
      """)
    #expect(text == "True 0")
  }

  /// The same path twice is one secret, and an answer has a bound.
  @Test func answersAreBounded() throws {
    let secrets = try SecretServiceRun()
    let text = try secrets.python(
      """
      from jeepney import DBusAddress, new_method_call
      c = secretstorage.get_default_collection(bus)
      items = [c.create_item("a", {"k": str(n)}, b"x" * 900000).item_path for n in range(10)]
      service = DBusAddress("/org/freedesktop/secrets", "org.freedesktop.secrets", "org.freedesktop.Secret.Service")
      session = bus.send_and_get_reply(new_method_call(service, "OpenSession", "sv", ("plain", ("s", "")))).body[1]
      def get(paths): return bus.send_and_get_reply(new_method_call(service, "GetSecrets", "aoo", (paths, session)))
      print(len(get(items[:1] * 100).body[0]), len(get(items[:5]).body[0]), "Ask for fewer" in str(get(items).body))
      """)
    #expect(text == "1 5 True")
  }
}
