import AtRestFormats
import Foundation
import Testing

@Suite struct KeyedArchiveTests {
  private static let image = "burnerCache.burnerCache_preferences.josh_ios15_ffs"

  /// Returns an archive in XML with these objects after `$null`. The first one is the root.
  private func archive(_ objects: String) throws -> KeyedArchive {
    let text = """
      <plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string>
      <key>$top</key><dict><key>root</key>\(uid(1))</dict>
      <key>$objects</key><array><string>$null</string>\(objects)</array></dict></plist>
      """
    return try #require(KeyedArchive(PropertyList.read(Data(text.utf8), path: "a")))
  }

  private func uid(_ number: Int) -> String {
    "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
  }

  private func type(_ names: String...) -> String {
    let list = names.map { "<string>\($0)</string>" }.joined()
    return "<dict><key>$classname</key><string>\(names[0])</string>"
      + "<key>$classes</key><array>\(list)</array></dict>"
  }

  private func array(_ type: Int, _ items: Int...) -> String {
    "<dict><key>$class</key>\(uid(type))<key>NS.objects</key><array>"
      + items.map(uid).joined() + "</array></dict>"
  }

  private func dump(_ node: PropertyList.Node) -> String {
    switch node.value {
    case .string(let text): "\"\(text)\""
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .boolean(let flag): "\(flag)"
    case .date(let date): date.ISO8601Format()
    case .data(let data): "<\(data.count)>"
    case .uid(let number): "uid \(number)"
    case .null: "null"
    case .array(let nodes): "[" + nodes.map(dump).joined(separator: ", ") + "]"
    case .dictionary(let entries):
      "{" + entries.map { "\($0.key): \(dump($0.node))" }.joined(separator: ", ") + "}"
    }
  }

  @Test func aRealFileIsDecoded() throws {
    let file = try #require(try Fixture.image(Self.image).first)
    let list = PropertyList.read(Data(file.bytes), path: "p")
    var archives: [String: KeyedArchive] = [:]
    for entry in list.root?.entries ?? [] {
      guard case .data(let data) = entry.node.value else { continue }
      archives[entry.key] = KeyedArchive(PropertyList.read(data, path: entry.key))
    }
    #expect(archives.values.allSatisfy { $0.skipped.isEmpty })
    #expect(Set(archives.keys) == ["TriggerActions", "AppboyPersistentData"])
    #expect(archives["TriggerActions"].map { dump($0.root) } == "[]")
  }

  @Test func noTextOfARealArchiveIsLost() throws {
    let list = PropertyList.read(try largest(), path: "p")
    let tree = dump(try #require(KeyedArchive(list)).root)
    let texts = try #require(list.root?["$objects"]?.array).compactMap(\.string)
    #expect(texts.count > 20)
    #expect(texts.filter { !["", "$null"].contains($0) && !tree.contains($0) }.isEmpty)
  }

  private func largest() throws -> Data {
    let file = try #require(try Fixture.image(Self.image).first)
    let list = PropertyList.read(Data(file.bytes), path: "p")
    guard case .data(let data)? = list.root?["AppboyPersistentData"]?.value else {
      throw FormatError("The fixture holds no archive.")
    }
    return data
  }

  @Test func foundationsClassesBecomeValues() throws {
    let bytes = Data(0..<16).base64EncodedString()
    let result = try archive(
      array(2, 3, 4, 6, 8, 10, 0, 12) + type("NSMutableArray", "NSArray", "NSObject")
        + "<string>text</string>"
        + "<dict><key>$class</key>\(uid(5))<key>NS.time</key><real>0</real></dict>"
        + type("NSDate")
        + "<dict><key>$class</key>\(uid(7))<key>NS.base</key>\(uid(0))<key>NS.relative</key>"
        + "<string>https://a.example/b</string></dict>" + type("NSURL")
        + "<dict><key>$class</key>\(uid(9))<key>NS.uuidbytes</key><data>\(bytes)</data></dict>"
        + type("NSUUID")
        + "<dict><key>$class</key>\(uid(11))<key>NS.data</key><data>\(bytes)</data></dict>"
        + type("NSMutableData", "NSData")
        + "<dict><key>$class</key>\(uid(13))<key>NS.string</key><string>more</string></dict>"
        + type("NSMutableString", "NSString"))
    #expect(
      dump(result.root)
        == #"["text", 2001-01-01T00:00:00Z, "https://a.example/b", "#
        + #""00010203-0405-0607-0809-0A0B0C0D0E0F", <16>, null, "more"]"#)
    #expect(result.skipped.isEmpty)
  }

  @Test func anObjectOfAnotherClassKeepsItsName() throws {
    let result = try archive(
      "<dict><key>$class</key>\(uid(2))<key>token</key>\(uid(3))<key>tries</key>"
        + "<integer>3</integer></dict>" + type("Shop.Session", "NSObject")
        + "<string>secret</string>")
    #expect(dump(result.root) == #"{$class: "Shop.Session", token: "secret", tries: 3}"#)
  }

  @Test func keysOfADictionaryBecomeTexts() throws {
    let result = try archive(
      "<dict><key>$class</key>\(uid(2))<key>NS.keys</key><array>\(uid(3))\(uid(4))</array>"
        + "<key>NS.objects</key><array>\(uid(4))\(uid(3))</array></dict>"
        + type("NSDictionary") + "<string>a</string><integer>7</integer>")
    #expect(dump(result.root) == #"{a: 7, 7: "a"}"#)
  }

  @Test func anObjectThatHoldsItselfIsCutAndReported() throws {
    let result = try archive(array(2, 3, 1) + type("NSArray") + "<string>a</string>")
    #expect(dump(result.root) == #"["a", null]"#)
    #expect(
      result.skipped.map(\.reason) == ["The archive contains an object that contains itself."])
  }

  @Test func sharedObjectsDoNotGrowWithoutBound() throws {
    // Forty arrays, each with two references to the next, would unfold to a trillion values.
    let arrays = (1...40).map { array(42, $0 + 1, $0 + 1) }.joined()
    let result = try archive(arrays + "<string>x</string>" + type("NSArray"))
    #expect(result.skipped.count == 1)
    var count = 0
    func walk(_ node: PropertyList.Node) {
      count += 1
      node.array?.forEach(walk)
    }
    walk(result.root)
    #expect(count <= PropertyList.valueLimit)
  }

  @Test func objectsThatAreCutAreNotReadWithoutEnd() throws {
    // A list that is cut off, and slow to read, occurs a hundred thousand times.
    let items = (0..<3000).map { "<key>x\($0)</key><true/>" }.joined()
    let cut =
      "<dict><key>$class</key>\(uid(3))\(items)<key>NS.object.1</key>\(uid(999))</dict>"
    let all = Array(repeating: uid(2), count: 100_000).joined()
    let list = "<dict><key>$class</key>\(uid(3))<key>NS.objects</key><array>\(all)</array></dict>"
    let start = ContinuousClock.now
    let result = try archive(list + cut + type("NSArray"))
    #expect(result.root.array?.count == 100_000)
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func textsMadeOfOneDataDoNotGrowWithoutBound() throws {
    let text = Data(repeating: 65, count: 2 << 20).base64EncodedString()
    let strings = (0..<100).map { _ in
      "<dict><key>$class</key>\(uid(103))<key>NS.bytes</key>\(uid(102))</dict>"
    }.joined()
    let data = "<data>\(text)</data>"
    let items = (2...101).map(uid).joined()
    let list =
      "<dict><key>$class</key>\(uid(104))<key>NS.objects</key><array>\(items)</array></dict>"
    let result = try archive(list + strings + data + type("NSString") + type("NSArray"))
    #expect(result.root.array?.compactMap(\.string).count == 32)
    #expect(result.skipped.count == 1)
  }

  @Test func aReferenceToNothingIsReported() throws {
    let result = try archive(array(2, 99) + type("NSArray"))
    #expect(
      result.skipped.map(\.reason) == ["The archive refers to an object that it does not contain."])
  }

  @Test func aPlainPropertyListIsNoArchive() {
    let list = PropertyList.read(Data(#"{"$archiver": "x"}"#.utf8), path: "a.json")
    #expect(!KeyedArchive.isArchive(list))
    #expect(KeyedArchive(list) == nil)
  }

  @Test func brokenFilesAreSurvived() throws {
    Hostile.forms(of: [UInt8](try largest())) {
      _ = KeyedArchive(PropertyList.read(Data($0), path: "a"))
    }
  }
}
