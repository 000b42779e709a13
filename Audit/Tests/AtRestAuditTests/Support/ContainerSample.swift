import AtRestAudit
import Foundation

/// A report on code and on two containers, with findings in text and in bytes, live and deleted.
enum ContainerSample {
  static let rules = MarkEngine.rules
  static let token = "eyJhbGciOiJIUzI1NiJ9.c2VjcmV0LXRva2Vu.9f8e7d6c5b4a"
  static let password = "Tr0ub4dor-3-horse"
  static let key: [UInt8] = (0..<32).map { UInt8(($0 * 37 + 129) % 256) }
  /// The secrets that no report may contain unless it reveals them.
  static let secrets = [token, password, "4111 1111 1111 1111"]

  static let database = "Library/Application Support/Bank.sqlite"
  static let preferences = "Library/Preferences/com.example.bank.plist"
  static let cache = "Library/Caches/com.example.bank/Cache.db"

  static func report() -> AuditReport {
    var report = Sample.report()
    report.findings = [
      finding(
        "ipc-inventory", .note, "Bank.ipa/Payload/Bank.app/Info.plist", ["UIFileSharingEnabled"],
        "Documents are shared with computers.",
        Exhibit.Excerpt(
          bytes: Array("<key>UIFileSharingEnabled</key>\n<true/>".utf8), secrets: [], offset: 412,
          isText: true)),
      finding(
        "hardcoded-key", .high, "Bank.ipa/Payload/Bank.app/Bank", ["byte 81936"],
        "A private key lies in the program.", hex(key, before: 21, after: 30, offset: 81_915)),
      finding(
        "log-sensitive", .medium, cache,
        ["cfurl_cache_receiver_data, row 7, receiver_data", "gzip", "accounts[0].session.token"],
        "A token lies in a cached response.",
        text("{\"id\":7,\"token\":\"", token, "\",\"expires\":1799999999}")),
      finding(
        "weak-kdf", .low, preferences, [], "The file is open whenever the device is on.", nil,
        protection: "NSFileProtectionNone"),
    ]
    for row in 1...9 {
      report.findings.append(
        finding(
          row % 3 == 0 ? "log-sensitive" : "hardcoded-key", row % 3 == 0 ? .medium : .high,
          database, ["ZUSER, row \(row), ZPASSWORD"],
          row % 3 == 0 ? "A password was deleted and lies there still." : "A password lies open.",
          row % 2 == 0
            ? text("ada@example.org\n", password, "\nLondon; the same: \(password)")
            : hex(Array(password.utf8), before: 11, after: 19 + row, offset: 4096 * row + 17),
          isDeleted: row % 3 == 0))
    }
    for number in 1...9 {
      report.findings.append(
        finding(
          "weak-kdf", .low, preferences, ["root.cards[\(number)].number"],
          "The number of a card lies in preferences.",
          text("<string>", "4111 1111 1111 1111", "</string>"),
          protection: "NSFileProtectionNone"))
    }
    report.findings += Sample.report().findings
    report.findings.append(
      Finding(
        rule: "log-sensitive", severity: .medium,
        location: Sample.location("Sources/Log in.swift", 6, 2, 6, 30),
        message: "What stands in the code is shown as text.", anchor: "log 2"))
    report.findings.sort { $0.precedes($1) }
    report.skipped.append(
      Skip(path: "Bank.ipa/Payload/Bank.app/Assets.car", reason: "No reader for its type."))
    report.containers = [container, archive]
    return report
  }

  private static var container: ContainerSummary {
    var files = [
      file(database, "SQLite", 131_072, .plaintext, "CompleteUntilFirstUserAuthentication"),
      file(cache, "SQLite", 1_204_224, .compressed, "CompleteUntilFirstUserAuthentication"),
      file(preferences, "binary property list", 4096, .plaintext, "None"),
      file("Documents/vault.bin", "bytes", 2_400_000, .encrypted, "Complete"),
      file("Documents/draft.bin", "bytes", 900, .unknown, "CompleteUnlessOpen"),
      ContainerSummary.File(
        path: "Library/<b>odd</b>.json", type: "JSON", size: 1, verdict: .encoded),
    ]
    files += (1...20).map {
      file("Library/Caches/images/\($0).jpg", "JPEG", 20_000 * $0, .compressed, "None")
    }
    return ContainerSummary(
      name: "Bank", files: files.sorted { $0.path < $1.path },
      snapshots: (1...3).map {
        .init(
          path: "Library/SplashBoard/Snapshots/sceneID:com.example.bank-default/\($0).png",
          image: Array(image), mediaType: "image/png")
      } + [.init(path: "Library/SplashBoard/Snapshots/downscaled/4.ktx")],
      values: 18_204, bytes: 8_000_292)
  }

  private static var archive: ContainerSummary {
    ContainerSummary(
      name: "Bank.ipa",
      files: [
        ContainerSummary.File(
          path: "Payload/Bank.app/Bank", type: "Mach-O", size: 3_400_000, verdict: .plaintext),
        ContainerSummary.File(
          path: "Payload/Bank.app/Info.plist", type: "binary property list", size: 2100,
          verdict: .plaintext),
      ], values: 96, bytes: 3_402_100)
  }

  private static func file(
    _ path: String, _ type: String, _ size: Int, _ verdict: ContentVerdict,
    _ protection: String
  ) -> ContainerSummary.File {
    ContainerSummary.File(
      path: path, type: type, size: size, verdict: verdict,
      protectionClass: "NSFileProtection" + protection)
  }

  static func finding(
    _ rule: RuleID, _ severity: Severity, _ path: String, _ locator: [String], _ message: String,
    _ excerpt: Exhibit.Excerpt?, isDeleted: Bool = false,
    protection: String? = "NSFileProtectionCompleteUntilFirstUserAuthentication"
  ) -> Finding {
    Finding(
      rule: rule, severity: severity, location: Sample.location(path, 1, 1, 1, 1),
      message: message, anchor: locator.joined(separator: "/"),
      exhibit: Exhibit(
        locator: locator, excerpt: excerpt, isDeleted: isDeleted,
        protectionClass: path.hasPrefix("Bank.ipa") ? nil : protection))
  }

  static func text(_ before: String, _ secret: String, _ after: String) -> Exhibit.Excerpt {
    let start = before.utf8.count
    return Exhibit.Excerpt(
      bytes: Array((before + secret + after).utf8), secrets: [start..<(start + secret.utf8.count)],
      offset: 0, isText: true)
  }

  static func hex(
    _ secret: [UInt8], before: Int, after: Int, offset: Int
  ) -> Exhibit.Excerpt {
    func noise(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(($0 * 89 + count) % 256) } }
    return Exhibit.Excerpt(
      bytes: noise(before) + secret + noise(after), secrets: [before..<(before + secret.count)],
      offset: offset, isText: false)
  }

  /// Returns a report with this many findings, half of them in code and half in a container.
  static func large(_ count: Int) -> AuditReport {
    let line = "    defaults.set(password, forKey: \"password\")  // as it came\n"
    let files = (0..<100).map { ("Sources/File\($0).swift", String(repeating: line, count: 60)) }
    var report = AuditReport(
      tree: SourceTree(
        name: "Large", files: Dictionary(uniqueKeysWithValues: files)))
    report.findings = (0..<count).map { number in
      if number % 2 == 0 {
        let line = number / 200 + 2
        return Finding(
          rule: rules[number / 2 % 4].id, severity: rules[number / 2 % 4].severity,
          location: Sample.location("Sources/File\(number / 2 % 100).swift", line, 5, line, 50),
          message: "Finding \(number) in code: a password goes into preferences.",
          anchor: "\(number)")
      }
      return finding(
        rules[number / 2 % 4].id, rules[number / 2 % 4].severity,
        "Documents/store\(number / 2 % 40).sqlite", ["ZTABLE, row \(number), ZVALUE", "base64"],
        "Finding \(number) in a container: a password lies open.",
        number % 4 == 1
          ? hex(Array("secret-\(number)-value".utf8), before: 70, after: 60, offset: 4096)
          : text("{\"password\":\"", "secret-\(number)-value", "\"}"))
    }
    report.findings.sort { $0.precedes($1) }
    report.containers = [
      ContainerSummary(
        name: "Data",
        files: (0..<4000).map {
          file("Documents/store\($0).sqlite", "SQLite", 4096, .plaintext, "None")
        }, values: 100_000, bytes: 16_384_000)
    ]
    return report
  }

  private static let image =
    Data(
      base64Encoded: """
        iVBORw0KGgoAAAANSUhEUgAAAFwAAADEAgMAAABvtK7lAAAADFBMVEX///8cTqDIzdQ8QEbOe5mwAAAAW0lEQVR42u2X\
        sQnAMBDEvGT2S53pskHSPQQMLhw4GUul2hcH344+Ta8neBnxfIn7v7iKc8pv3APC2wNqH+o8KW8PoB4A3h5Y+5D29kDp\
        geHtgbQPd9zbw0L/5gtB+tXSVvyczAAAAABJRU5ErkJggg==
        """) ?? Data()
}
