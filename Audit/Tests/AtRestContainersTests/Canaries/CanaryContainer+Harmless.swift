import Foundation

/// Files of texts that look like secrets and are none.
extension CanaryContainer {
  mutating func addHarmlessFiles() {
    add("Example.app/LICENSE.txt", Self.licence.utf8)
    add("Example.app/Acknowledgements.plist", Self.acknowledgements.utf8)
    add("Documents/harmless/ids.json", Self.identifiers.utf8)
    add("Documents/harmless/versions.json", Self.versions.utf8)
    add("Library/Logs/harmless.log", Self.log.utf8)
    add("Documents/harmless/domains.txt", Self.domains.joined(separator: "\n").utf8)
    add("Documents/harmless/numbers.csv", Self.numbers.utf8)
    var database = DatabaseFile()
    database.add(
      table: "accounts", "CREATE TABLE accounts (handle TEXT, order_number TEXT, etag TEXT)",
      rows: (0..<40).map { row in
        [
          .text("@walker.\(row)@social.example"),
          .text("\(Self.luhn(4_539_148_800_000 + row * 37))"),
          .text(Self.hash(row)),
        ]
      })
    database.add(
      table: "credentials", "CREATE TABLE credentials (domain TEXT, appids TEXT)",
      rows: Self.domains.map { [.text($0), .text("ABCDE12345.org.example.\($0.count)")] })
    add("Documents/harmless/accounts.sqlite", database.bytes)
  }

  private static let licence = """
    The MIT License

    Copyright (c) 2019 Jane Roe <jane.roe@example.org> and John Doe (john@doe.example)

    Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
    associated documentation files, to deal in the Software without restriction. Questions go to
    support@example.com.
    """

  private static let acknowledgements = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>PreferenceSpecifiers</key><array><dict>
    <key>FooterText</key><string>Copyright (c) 2014 Jane Roe (jane.roe@example.org)

    Redistribution and use in source and binary forms are permitted.</string>
    <key>Title</key><string>Parser</string></dict></array></dict></plist>
    """

  private static let domains = [
    "accounts.example.org", "login.example.com", "apple.example", "pass.example.net",
    "secure-token.example", "id.example.co.uk", "key.example.io", "auth.example.dev",
  ]

  /// Numbers of 16 digits, one of which in ten has a card's check digit by chance.
  private static let numbers =
    "order_id;invoice;tracking\n"
    + (0..<60).map { row in
      "\(4_539_148_803_430_000 + row * 7);\(5_105_105_105_100_000 + row * 13);\(row)"
    }.joined(separator: "\n")

  private static let identifiers: String = {
    let rows = (0..<30).map { row in
      """
      {"id": "6F0E1A4C-1111-4222-8333-4444555566\(10 + row)", "orderId": \
      \(luhn(453_914_880_343_600 + row)), "created_at": \(1_700_000_000_000 + row * 977), \
      "sha256": "\(hash(row))", "etag": "W/\\"\(hash(row).prefix(27))\\"", \
      "trackingNumber": "\(luhn(40_000_000_000_000_000 + row * 991))", \
      "passwordPolicy": "at least 8 characters", "tokenCount": \(row), "keyboard": "qwerty"}
      """
    }
    return "[\(rows.joined(separator: ",\n"))]"
  }()

  private static let versions = """
    {"version": "12.4.1 (20F66)", "build": "1.0.0.4539148803", "sdk": "iphoneos17.2", "package":
    "swift-syntax@603.0.0", "module": "left-pad@1.3.0", "commit": "9f1b74e40d8c3c1b2a69e7d5f0a1b2c3d4e5f607",
    "userAgent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15",
    "icon": "icon@2x.png", "locale": "en_GB", "timezone": "Europe/Berlin", "color": "#FFAABB"}
    """

  private static let log = (0..<50).map { row in
    """
    2026-11-23 04:10:\(10 + row).123456+0000 App[4539:0x1f\(row)a] request \
    6F0E1A4C-1111-4222-8333-4444555566\(10 + row) took 0.\(4_539_148_803_436 + row) s, \
    sha1=\(hash(row).prefix(40)), batch \(luhn(300_000_000_000_000 + row * 61))
    """
  }.joined(separator: "\n")

  /// Appends the check digit that a card would have.
  private static func luhn(_ number: Int) -> Int {
    var sum = 0
    for (index, digit) in String(number).reversed().compactMap(\.wholeNumberValue).enumerated() {
      let value = digit * (index % 2 == 0 ? 2 : 1)
      sum += value > 9 ? value - 9 : value
    }
    return number * 10 + (10 - sum % 10) % 10
  }

  private static func hash(_ row: Int) -> String {
    var random = SplitMix(state: UInt64(row))
    return (0..<4).map { _ in
      let digits = String(random.next(), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
