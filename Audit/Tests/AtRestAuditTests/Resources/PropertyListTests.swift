import AtRestAudit
import Foundation
import Testing

@Suite struct PropertyListTests {
  private func read(_ text: String, _ path: String = "a.plist") -> PropertyList {
    PropertyList.read(Data(text.utf8), path: path)
  }

  @Test func `XML has every kind of value with its line`() throws {
    let list = read(
      ResourceSamples.plist(
        """
        <key>text</key><string>a &amp; b</string>
        <key>number</key><integer>-5</integer>
        <key>real</key><real>1.5</real>
        <key>flag</key><true/>
        <key>day</key><date>2024-02-29T12:00:00Z</date>
        <key>bytes</key><data>AAEC</data>
        <key>list</key><array><string>x</string></array>
        <key>reference</key><dict><key>CF$UID</key><integer>7</integer></dict>
        """))
    let root = try #require(list.root)
    #expect(list.skipped.isEmpty)
    #expect(list.format == .xml)
    #expect(root["text"]?.string == "a & b")
    #expect(root["flag"]?.isTrue == true)
    #expect(root["list"]?.strings == ["x"])
    #expect(root.entry("number")?.position.line == 6)
    guard case .integer(-5)? = root["number"]?.value, case .real(1.5)? = root["real"]?.value,
      case .date(let day)? = root["day"]?.value,
      case .data(Data([0, 1, 2]))? = root["bytes"]?.value,
      case .uid(7)? = root["reference"]?.value
    else {
      Issue.record("A value has the wrong kind.")
      return
    }
    #expect(day == Date(timeIntervalSince1970: 1_709_208_000))
  }

  @Test func `What XML holds beside values is said and read around`() {
    let list = read(ResourceSamples.plist("<key>a</key><wrong/><key>b</key><string>x</string>"))
    #expect(list.root?["b"]?.string == "x")
    #expect(!list.skipped.isEmpty)
  }

  @Test func `Binary lists have what Foundation wrote`() throws {
    let values: [NSDictionary] = [
      ["a": "x"], ["list": [1, 2.5, true, "ü", "plain"] as [Any]],
      ["bytes": Data(repeating: 7, count: 300), "day": Date(timeIntervalSince1970: 0)],
    ]
    for value in values {
      let data = try PropertyListSerialization.data(
        fromPropertyList: value, format: .binary, options: 0)
      let list = PropertyList.read(data, path: "a.plist")
      #expect(list.format == .binary)
      #expect(list.skipped.isEmpty)
      #expect(list.root.map(Self.foundation) as? NSDictionary == value)
    }
  }

  @Test func `References of an archive are kept`() throws {
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: "secret" as NSString, requiringSecureCoding: true)
    let list = PropertyList.read(data, path: "a.plist")
    guard case .uid(1)? = list.root?["$top"]?["root"]?.value else {
      Issue.record("The reference has the wrong kind.")
      return
    }
    #expect(list.root?["$objects"]?.strings.contains("secret") == true)
  }

  @Test func `A binary list that holds itself is read once around`() {
    // An array of itself and a flag.
    let list = Self.binary([[0xA2, 0, 1], [0x09]])
    #expect(list.root?.array?.count == 2)
    #expect(
      list.skipped.map(\.reason) == [
        "The binary property list contains a value that contains itself."
      ])
  }

  @Test func `A small binary list cannot grow without bounds`() {
    // Each array holds the next one ten times, which makes 10^9 values.
    var objects = (0..<9).map { level in [0xAA] + [UInt8](repeating: UInt8(level + 1), count: 10) }
    objects.append([0x09])
    let list = Self.binary(objects)
    #expect(list.skipped.map(\.reason) == ["Values after the first 1000000 are skipped."])
  }

  @Test func `Old ASCII lists are read with lines`() throws {
    let list = read(
      """
      // comment
      { /* more */ a = plain/path.x; "b c" = "x\\n\\U00fc\\101";
        list = (1, two, );
        bytes = <00ff 10>; }
      """)
    let root = try #require(list.root)
    #expect(list.format == .ascii)
    #expect(list.skipped.isEmpty)
    #expect(root["a"]?.string == "plain/path.x")
    #expect(root["b c"]?.string == "x\nüA")
    #expect(root["list"]?.strings == ["1", "two"])
    #expect(root.entry("list")?.position == Position(line: 3, column: 3))
    guard case .data(Data([0, 0xFF, 0x10]))? = root["bytes"]?.value else {
      Issue.record("The data has the wrong kind.")
      return
    }
  }

  @Test func `Strings files are read, in UTF-16 too`() throws {
    let text = "/* Login */\n\"title\" = \"Log in\";\nshort;\n"
    for encoding in [String.Encoding.utf8, .utf16] {
      let data = try #require(text.data(using: encoding))
      let list = PropertyList.read(data, path: "a.strings")
      #expect(list.root?["title"]?.string == "Log in")
      #expect(list.root?["short"]?.string == "short")
      #expect(list.root?.entry("title")?.position.line == 2)
      #expect(list.skipped.isEmpty)
    }
  }

  @Test func `JSON is read with lines`() {
    let list = read(
      "{\n \"a\": [1, -2.5e3, true, null],\n \"b\": {\"c\": \"\\u00fc\\ud83d\\ude00\"}\n}", "a.json"
    )
    #expect(list.format == .json)
    #expect(list.skipped.isEmpty)
    #expect(list.root?["b"]?["c"]?.string == "ü😀")
    #expect(list.root?.entry("b")?.position.line == 3)
    #expect(list.root?["a"]?.array?.count == 4)
  }

  @Test func `Lists nested without end are cut at the limit`() {
    for (text, path) in [
      (String(repeating: "(", count: 100_000), "a.plist"),
      (String(repeating: "[", count: 100_000), "a.json"),
      (String(repeating: "{a=", count: 100_000), "a.plist"),
      ("<plist>" + String(repeating: "<array>", count: 100_000), "a.plist"),
    ] {
      #expect(!read(text, path).skipped.isEmpty)
    }
  }

  /// Returns a binary list of these objects, the first of which is the root.
  private static func binary(_ objects: [[UInt8]]) -> PropertyList {
    var bytes = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
      offsets.append(UInt8(bytes.count))
      bytes += object
    }
    let table = UInt8(bytes.count)
    bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, UInt8(objects.count)]
    bytes += [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, table]
    return PropertyList.read(Data(bytes), path: "a.plist")
  }

  private static func foundation(_ node: PropertyList.Node) -> Any {
    switch node.value {
    case .string(let value): value
    case .integer(let value): value
    case .real(let value): value
    case .boolean(let value): value
    case .date(let value): value
    case .data(let value): value
    case .array(let nodes): nodes.map(foundation)
    case .dictionary(let entries):
      Dictionary(uniqueKeysWithValues: entries.map { ($0.key, foundation($0.node)) })
        as NSDictionary
    case .uid(let value): value
    case .null: NSNull()
    }
  }
}
