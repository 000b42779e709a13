import AtRestRedaction
import Testing

/// Values under the names of secrets are withheld, in several languages and notations.
@Suite struct NamedValueTests {
  private static func redact(_ text: String) -> String { Redactor().redact(text) }

  @Test(arguments: [
    "password", "Passwort", "Kennwort", "contraseña", "senha", "motdepasse", "mot de passe",
    "wachtwoord", "hasło", "пароль", "şifre", "lösenord", "salasana", "heslo", "密码", "パスワード",
    "비밀번호", "clientSecret", "AWS_SECRET_ACCESS_KEY", "private_key", "refreshToken", "pin", "CVV",
  ])
  func aValueIsWithheld(_ name: String) {
    #expect(Self.redact("of eva, \(name)=hunter2 x") == "of eva, \(name)=[withheld] x")
    #expect(Self.redact("\(name): hunter2, x") == "\(name): [withheld], x")
    #expect(Self.redact("{\"\(name)\":\"hunter2\"}") == "{\"\(name)\":[withheld]}")
  }

  @Test(arguments: [
    ("<password>hunter2</password>", "<password>[withheld]</password>"),
    (
      "<ns:Password type=\"t\">a b</ns:Password>",
      "<ns:Password type=\"t\">[withheld]</ns:Password>"
    ),
    ("<user password=\"hunter2\" id=\"1\"/>", "<user password=[withheld] id=\"1\"/>"),
    (
      "<key>password</key><string>hunter2</string><key>user</key><string>eva</string>",
      "<key>password</key><string>[withheld]</string><key>user</key><string>eva</string>"
    ),
    ("<input name=\"password\" value=\"hunter2\">", "<input name=\"password\" value=[withheld]>"),
    (
      "{\"key\": \"apiToken\", \"value\": \"abc\"}",
      "{\"key\": \"apiToken\", \"value\": [withheld]}"
    ),
    ("密码：hunter2", "密码：[withheld]"), ("session=a1b2c3d4e5f6", "session=[withheld]"),
  ])
  func aNotationIsUnderstood(_ text: String, _ expected: String) {
    #expect(Self.redact(text) == expected)
  }

  /// Controls: the same names without a value, and other names.
  @Test(arguments: [
    "password=null", "passwordLength=12", "the password field", "<name>eva</name>",
    "<key>user</key><string>eva</string>", "<password></password>", "session: 30546173_42617",
    "sessionid: 0x14f05578bd80000", "pam_unix(sshd:auth): check it", "(auth:SIMPLE)",
    "token=Token{a64f992 u0}", "activity token: android.os.BinderProxy@2bd79ce",
    "name=\"user\" value=\"eva\"", "hasPassword=yes", "(using password: YES)", "пароль изменён",
  ])
  func otherTextStays(_ text: String) {
    #expect(Self.redact(text) == text)
  }
}
