import Foundation

extension MaskingCase {
  private static let credential = "hardcoded-credential"

  /// Secrets in Swift and Objective-C.
  static let code: [MaskingCase] = [
    .init("literal", credential, "A.swift", "let password = \"\(secret)\"\n", name: "password"),
    .init(
      "raw string", credential, "A.swift", "let password = #\"Xk7dU\"e9Rq8TTwz42\"#\n",
      name: "password", hidden: ["Xk7dU\"e9Rq8TTwz42"]),
    .init(
      "literal with escapes", credential, "A.swift",
      "let password = \"\\u{58}k7dUe9Rq8\\u{54}Twz42\"\n", name: "password",
      hidden: [secret, "\\u{58}k7dUe9Rq8\\u{54}Twz42"]),
    .init(
      "literal of several lines", credential, "A.swift",
      "let password = \"\"\"\n  \(secret)\\\n  \(other)\n  \"\"\"\n", name: "password",
      hidden: [secret, other]),
    .init(
      "sum of literals", credential, "A.swift",
      "let password = \"Xk7dUe9R\" + \"q8TTwz42\"\n", name: "password",
      hidden: ["Xk7dUe9R", "q8TTwz42"]),
    .init(
      "literal that is converted", credential, "A.swift",
      "let password = Data(\"\(secret)\".utf8)\n", name: "password"),
    .init(
      "two secrets on a line", credential, "A.swift",
      "func f() { login(password: \"\(secret)\"); login(password: \"\(other)\") }\n",
      name: "password", hidden: [secret, other]),
    .init(
      "secret in a file in Latin-1", credential,
      [
        "A.swift": "/* \u{E4}\u{F6}\u{FC}\u{E4}\u{F6}\u{FC} */ let password = \"\(secret)\"\n".data(
          using: .isoLatin1) ?? Data()
      ], name: "password"),
    .init(
      "secret on a line that ends in CR", credential, "A.swift",
      "import Foundation\rlet password = \"\(secret)\"\r", name: "password"),
    .init(
      "interpolated literal", "hardcoded-key", "A.swift",
      """
      import CryptoKit

      let part = 7
      func key() -> SymmetricKey {
        SymmetricKey(data: Data("Xk7dUe9R\\(part)q8TTwz42".utf8))
      }
      """, hidden: ["Xk7dUe9R", "q8TTwz42"]),
    .init(
      "bytes", "hardcoded-key", "A.swift",
      """
      let encryptionKey: [UInt8] = [
        0x68, 0x75, 0x6E, 0x74,
        0x65, 0x72, 0x32, 0x33,
      ]
      """, name: "encryptionKey", hidden: ["0x68, 0x75", "0x65, 0x72"]),
    .init(
      "bytes on one line", "hardcoded-key", "A.m",
      "static const unsigned char encryptionKey[] = {0x68, 0x75, 0x6E, 0x74, 0x65, 0x72, 0x32, 0x33};",
      name: "encryptionKey", hidden: ["0x68, 0x75", "0x32, 0x33"]),
    .init(
      "constant at the beginning of a trail", "hardcoded-key",
      [
        "Keys.swift": Data("enum Keys {\n  static let pepper = \"\(secret)\"\n}\n".utf8),
        "Use.swift": Data(
          """
          import CryptoKit

          func key() -> SymmetricKey { SymmetricKey(data: Data(Keys.pepper.utf8)) }
          """.utf8),
      ], word: "pepper"),
    .init(
      "pragma", "hardcoded-key", "A.swift",
      "func f() throws { try db.execute(sql: \"PRAGMA key = '\(secret)'\") }\n", word: "PRAGMA"),
    .init(
      "address with a password", credential, "A.swift",
      "let three = \"https://user:\(secret)@api.example.net/v1\"\n", word: "api.example.net"),
    .init(
      "query with a token", "sensitive-in-url", "A.swift",
      "let two = \"https://api.example.net/v1?lang=en&token=\(secret)\"\n", name: "token"),
    .init(
      "item of a query", "sensitive-in-url", "A.swift",
      """
      func f() -> URL? {
        var parts = URLComponents(string: "https://api.example.net")
        parts?.queryItems = [URLQueryItem(name: "token", value: "\(secret)")]
        return parts?.url
      }
      """,
      name: "token"),
    .init(
      "query with a token in Objective-C", "sensitive-in-url", "A.m",
      """
      void f(void) {
        NSString *two = @"https://api.example.net/v1?token=\(token)";
      }
      """, name: "token", hidden: [token]),
    .init(
      "literal in Objective-C", credential, "A.m", "NSString *password = @\"\(secret)\";\n",
      name: "password"),
    .init(
      "literal in several parts in Objective-C", credential, "A.m",
      "NSString *password = @\"Xk7dUe9R\" @\"q8TTwz42\";\n", name: "password",
      hidden: ["Xk7dUe9R", "q8TTwz42"]),
    .init(
      "dictionary in Objective-C", credential, "A.m",
      "NSDictionary *d(void) { return @{@\"password\": @\"\(secret)\"}; }\n", name: "password"),
    .init(
      "macro in a header", credential, "A.h", "#define API_PASSWORD @\"\(secret)\"\n",
      name: "API_PASSWORD"),
    .init(
      "token beside a finding", credential, "A.swift",
      "let password = \"\(secret)\"\nlet x = f(\"\(token)\") // \(token)\n", name: "password",
      hidden: [secret, token]),
    .init(
      "secret in the reason of a comment", credential, "A.swift",
      "// atrest:ignore hardcoded-credential \(secret) is not in use\nlet password = \"\(secret)\"\n"
        + "let passphrase = \"\(other)\"\n", name: "passphrase", hidden: [secret, other]),
  ]
}
