import AtRestAudit
import AtRestAuditResources
import Foundation
import Testing

@Suite struct ResourceRobustnessTests {
  /// One small file of each kind.
  static let samples: [(path: String, data: Data)] = [
    (
      "Login.xib",
      Data(
        ResourceSamples.xib(
          outlets: ["passwordField": "a"],
          ResourceSamples.label("Password", frame: (20, 70))
            + ResourceSamples.field("a", #"text="x""#)
        ).utf8)
    ),
    (
      "Info.plist",
      Data(
        ResourceSamples.plist(
          "<key>Password</key><string>a&amp;b1</string><key>n</key><array><integer>1</integer><real>2</real>"
            + "<date>2024-02-29T12:00:00Z</date><data>AAEC</data><true/></array>"
        ).utf8)
    ),
    ("Binary.plist", binary),
    (
      "Old.plist", Data(#"{ a = ( 1, "two\U00fc", <00ff> ); /* c */ b = { c = d; }; } // end"#.utf8)
    ),
    ("A.xcodeproj/project.pbxproj", Data(ResourceSamples.project.utf8)),
    ("Podfile.lock", Data(LockFileTests.pods.utf8)),
    ("Package.resolved", Data(LockFileTests.packages.utf8)),
    ("Cartfile.resolved", Data(LockFileTests.carthage.utf8)),
    ("M.xcdatamodel/contents", Data(ResourceSamples.model(#"<attribute name="pin"/>"#).utf8)),
    ("App.xcconfig", Data("#include \"a\"\nA[sdk=*] = 1 // c\n".utf8)),
    ("Login.strings", Data("/* c */ \"a\" = \"b\\n\";".utf8)),
    ("server.pem", Data("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n".utf8)),
    ("server.der", Data([0x30, 0x0A, 2, 1, 0, 0x30, 2, 5, 0, 4, 1, 7])),
  ]

  private static let binary: Data = {
    let value: [String: Any] = [
      "list": [1, 300, 70_000, 2.5, true, "ü", Data(repeating: 1, count: 20)] as [Any],
      "day": Date(timeIntervalSince1970: 0), "more": ["password": "Hunter2!"],
    ]
    return
      (try? PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0))
      ?? Data()
  }()

  /// Reads a file and runs the checks on it, as an audit does.
  private func audit(_ path: String, _ data: Data) -> Int {
    guard let file = ResourceFile.read(data, path: path) else { return 0 }
    return ResourceChecks().findings(in: ProjectResources([file])).count
  }

  @Test(arguments: samples.indices)
  func `A file that is cut off anywhere is read`(_ index: Int) {
    let (path, data) = Self.samples[index]
    for end in 0...data.count { _ = audit(path, data.prefix(end)) }
  }

  @Test(arguments: samples.indices)
  func `A file of which bytes are changed, lost or repeated is read`(_ index: Int) {
    let (path, data) = Self.samples[index]
    var random = SplitMix(state: UInt64(index) &+ 20_260)
    let marks = Array("<>&\"'(){}[];:,=/*\\\0\u{FF}".utf8)
    for _ in 0..<3000 {
      var bytes = [UInt8](data)
      for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[place] = marks[Int.random(in: 0..<marks.count, using: &random)]
        case 2: bytes.remove(at: place)
        case 3: bytes.insert(contentsOf: bytes[place...].prefix(16), at: place)
        default: bytes.removeSubrange(place..<min(bytes.count, place + 8))
        }
      }
      _ = audit(path, Data(bytes))
    }
  }

  @Test func `What cannot be read is said`() {
    for (path, data) in Self.samples where !path.hasPrefix("server") && !path.hasSuffix(".resolved")
    {
      let broken = Data([0x01, 0x02, UInt8(ascii: "<"), UInt8(ascii: "(")]) + data.suffix(3)
      let file = ResourceFile.read(broken, path: path)
      #expect(file?.skipped.isEmpty == false, "\(path)")
    }
  }

  @Test func `Large files of one kind of thing take no more than their length`() {
    let count = 20_000
    let many: [(String, String)] = [
      (
        "a.xib",
        ResourceSamples.xib(String(repeating: ResourceSamples.field("f"), count: count / 10))
      ),
      ("a.plist", String(repeating: "</x>", count: count)),
      ("b.plist", "{" + String(repeating: "a = 1; ", count: count) + "}"),
      ("c.plist", "<a " + String(repeating: "b='&#' ", count: count) + "/>"),
      ("d.strings", String(repeating: "/*", count: count)),
    ]
    for (path, text) in many { _ = audit(path, Data(text.utf8)) }
  }

  /// Random numbers that are the same in each run (SplitMix64).
  private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }
}
