import Foundation

extension MaskingCase {
  private static let credential = "hardcoded-credential"

  /// Secrets in property lists, JSON, strings and build settings.
  static let lists: [MaskingCase] = [
    .init(
      "XML property list", credential, "Info.plist",
      ResourceSamples.plist("<key>apiPassword</key>\n<string>\(secret)</string>"),
      name: "apiPassword"),
    .init(
      "XML property list on one line", credential, "Info.plist",
      "<plist><dict><key>apiPassword</key><string>\(secret)</string></dict></plist>",
      name: "apiPassword"),
    .init(
      "XML property list with entities", credential, "Info.plist",
      "<plist><dict><key>apiPassword</key><string>&#88;k7dUe9&amp;Rq8TTwz42</string></dict></plist>",
      name: "apiPassword", hidden: ["Xk7dUe9&Rq8TTwz42", "&#88;k7dUe9&amp;Rq8TTwz42"]),
    .init(
      "XML property list with CDATA", credential, "Info.plist",
      ResourceSamples.plist("<key>apiPassword</key><string><![CDATA[\(secret)]]></string>"),
      name: "apiPassword"),
    .init(
      "XML property list with data", "hardcoded-key", "Info.plist",
      ResourceSamples.plist(
        "<key>encryptionKey</key><data>\(Data(secret.utf8).base64EncodedString())</data>"),
      name: "encryptionKey", hidden: [Data(secret.utf8).base64EncodedString()]),
    .init(
      "XML property list with data of several lines", "hardcoded-key", "Info.plist",
      ResourceSamples.plist(
        "<key>encryptionKey</key>\n<data>\n\tWGs3ZFVlOVJx\n\tOFRUd3o0Mg==\n</data>"),
      name: "encryptionKey", hidden: ["WGs3ZFVlOVJx", "OFRUd3o0Mg"]),
    .init(
      "two entries of one name on a line", credential, "a.plist",
      "<plist><array><dict><key>apiPassword</key><string>\(secret)</string></dict>"
        + "<dict><key>apiPassword</key><string>\(other)</string></dict></array></plist>",
      name: "apiPassword", hidden: [secret, other]),
    .init(
      "binary property list", credential, ["a.plist": binary(["apiPassword": secret])],
      name: "apiPassword", isShown: false),
    .init(
      "long binary property list", credential,
      ["a.plist": binary(["apiPassword": secret, "text": String(repeating: "ab ", count: 2000)])],
      name: "apiPassword", isShown: false),
    .init(
      "text property list", credential, "a.plist", "{\n  apiPassword = \"\(secret)\";\n}\n",
      name: "apiPassword"),
    .init(
      "text property list without quotes", credential, "a.plist",
      "{ other = 1; apiPassword = \(secret); }", name: "apiPassword"),
    .init(
      "text property list with data", "hardcoded-key", "a.plist",
      "{ encryptionKey = <586b3764 55653952 71385454 777a3432>; }", name: "encryptionKey",
      hidden: ["586b3764", "55653952", "71385454"]),
    .init(
      "JSON", credential, "a.json", "{\n  \"apiPassword\": \"\(secret)\"\n}", name: "apiPassword"),
    .init(
      "JSON on one line", credential, "a.json", "{\"apiPassword\":\"\(secret)\",\"other\":1}",
      name: "apiPassword"),
    .init(
      "JSON with escapes", credential, "a.json",
      "{\"apiPassword\":\"\\u0058k7dUe9Rq8\\u0054Twz42\"}", name: "apiPassword",
      hidden: [secret, "\\u0058k7dUe9Rq8\\u0054Twz42"]),
    .init(
      "JSON with a copy on the next line", credential, "a.json",
      "{\"apiPassword\": \"\(secret)\",\n\"note\": \"it is \\u0058k7dUe9Rq8TTwz42\"}",
      name: "apiPassword"),
    .init(
      "two entries of JSON on a line", credential, "a.json",
      "{\"a\":{\"apiPassword\":\"\(secret)\"},\"b\":{\"apiPassword\":\"\(other)\"}}",
      name: "apiPassword", hidden: [secret, other]),
    .init(
      "a JSON array", credential, "a.json", "{\"apiPassword\": [\"\(secret)\",\n\"\(other)\"]}",
      name: "apiPassword", hidden: [secret, other]),
    .init(
      "JSON with a byte order mark", credential, "a.json",
      "\u{FEFF}{\"apiPassword\":\"\(secret)\"}", name: "apiPassword"),
    .init(
      "JSON with CR", credential, "a.json", "{\r\"x\":1,\r\"apiPassword\":\"\(secret)\"\r}",
      name: "apiPassword"),
    .init(
      "JSON with a private key", "hardcoded-key", "a.json",
      "{\"data\": \"-----BEGIN PRIVATE KEY-----\\n\(secret)\(other)\\n-----END PRIVATE KEY-----\"}",
      name: "data", hidden: [secret, other]),
    .init(
      "JSON on a line that is too long to show", credential, "a.json",
      "{\"x\":\"\(String(repeating: "ab ", count: 2000))\",\"apiPassword\":\"\(secret)\"}",
      name: "apiPassword", isShown: false),
    .init(
      "strings", credential, "Localizable.strings",
      "\"title\" = \"Hello\";\n\"api_password\" = \"\(secret)\";\n", name: "api_password"),
    .init(
      "strings in UTF-16", credential,
      [
        "Localizable.strings": "\u{FEFF}\"apiPassword\" = \"\(secret)\";\n".data(
          using: .utf16LittleEndian) ?? Data()
      ], name: "apiPassword", isShown: false),
    .init(
      "strings with an octal escape", credential, "Localizable.strings",
      "\"api_password\" = \"\\130k7dUe9Rq8TTwz42\";\n", name: "api_password"),
    .init(
      "build settings", credential, "Release.xcconfig",
      "A = 1\n  DB_PASSWORD = \(secret) // the password\nB = 2\n", name: "DB_PASSWORD"),
    .init(
      "build settings with CRLF and a condition", credential, "Release.xcconfig",
      "DB_PASSWORD[sdk=iphoneos*]=\(secret)\r\nB = 2\r\n", name: "DB_PASSWORD"),
    .init(
      "build settings in Latin-1", credential,
      [
        "Release.xcconfig": "A = \u{E4}\u{F6}\u{FC}\nDB_PASSWORD = \(secret)\n".data(
          using: .isoLatin1) ?? Data()
      ], name: "DB_PASSWORD"),
    .init(
      "a token under a name that says nothing", credential, "a.json",
      "{\"value\": \"\(token)\"}", name: "value", hidden: [token]),
    .init(
      "settings bundle", credential, "Settings.bundle/Root.plist",
      ResourceSamples.plist(
        """
        <key>PreferenceSpecifiers</key>
        <array><dict>
        <key>Type</key><string>PSTextFieldSpecifier</string>
        <key>Key</key><string>serverPassword</string>
        <key>DefaultValue</key><string>\(secret)</string>
        </dict></array>
        """), name: "serverPassword"),
  ]

  private static func binary(_ entries: [String: String]) -> Data {
    (try? PropertyListSerialization.data(
      fromPropertyList: entries, format: .binary, options: 0)) ?? Data()
  }
}
