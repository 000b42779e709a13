import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// A call for several secrets gets those that are not locked, as with gnome-keyring.
@Suite(.enabled(if: SecretServiceRun.isInstalled)) struct SecretServicePartTests {
  @Test func lockedSecretsAreLeftOut() throws {
    let secrets = try SecretServiceRun()
    try secrets.tool("store", "--label=a", "k", "v", input: "when unlocked")
    let always = PrimaryKey.genericPassword(
      service: "login", account: "always", group: "secret-service")
    try secrets.program.connect().send(
      .perform(
        .add(
          always, [.custom("k"): .text("v")], .accessible(.always),
          secret: AgentRun.secret("always")), groups: ["secret-service"]))
    let script = """
      from jeepney import DBusAddress, new_method_call
      from jeepney.wrappers import DBusErrorResponse, unwrap_msg
      service = DBusAddress("/org/freedesktop/secrets", "org.freedesktop.secrets", "org.freedesktop.Secret.Service")
      def call(name, signature, *body):
        return unwrap_msg(bus.send_and_get_reply(new_method_call(service, name, signature, body)))
      session = call("OpenSession", "sv", "plain", ("s", ""))[1]
      unlocked, locked = call("SearchItems", "a{ss}", {"k": "v"})
      print(len(unlocked), len(locked))
      secrets = call("GetSecrets", "aoo", locked + unlocked, session)[0]
      print(sorted(bytes(secret[2]) for secret in secrets.values()))
      if locked:
        try: print(call("GetSecrets", "aoo", locked, session))
        except DBusErrorResponse as error: print(error.name)
      """
    #expect(try secrets.python(script) == "2 0\n[b'always', b'when unlocked']")
    try secrets.lock()
    // An empty answer would say that there is no such item.
    #expect(
      try secrets.python(script) == "1 1\n[b'always']\norg.freedesktop.Secret.Error.IsLocked")
  }
}
