import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

@Suite struct StampAppendingTests {
  @Test func contentsStayAtTheBeginning() throws {
    let folder = try StampingFolder()
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    let file = try folder.write("file", "contents")
    let stamp = try stamper.appendStamp(to: file)
    #expect(try Data(contentsOf: file).prefix(Int(stamp.contentSize)) == Data("contents".utf8))
    #expect(try verifier.checkAppended(file) == stamp)
    #expect(try folder.names == ["file"])
  }

  @Test func stampingAgainReplacesTheStamp() throws {
    let folder = try StampingFolder()
    let first = try StampingMethod.hmac.keys()
    let second = try StampingMethod.p256.keys()
    let file = try folder.write("file", "contents")
    try first.stamper.appendStamp(to: file)
    let once = try Data(contentsOf: file)
    try first.stamper.appendStamp(to: file)
    #expect(try Data(contentsOf: file) == once)
    try second.stamper.appendStamp(to: file)
    try second.verifier.checkAppended(file)
    #expect(
      stampError { try first.verifier.checkAppended(file) }?.code == .authenticationFailed)
  }

  @Test func aChangeThatWasMeantIsStampedAnew() throws {
    let folder = try StampingFolder()
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    let file = try folder.write("file", "contents")
    try stamper.appendStamp(to: file)
    try (Data("more ".utf8) + Data(contentsOf: file)).write(to: file)
    #expect(stampError { try verifier.checkAppended(file) }?.code == .damaged)
    try stamper.appendStamp(to: file)
    #expect(try verifier.checkAppended(file).contentSize == 13)
  }

  @Test func permissionsStay() throws {
    let folder = try StampingFolder()
    let (stamper, _, _) = try StampingMethod.hmac.keys()
    let file = try folder.write("file", "contents")
    for mode in [0o755, 0o640, 0o600] {
      try folder.setMode(mode, of: "file")
      try stamper.appendStamp(to: file)
      let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(attributes[.posixPermissions] as? Int == mode)
    }
  }

  @Test func theFileBehindALinkIsStamped() throws {
    let folder = try StampingFolder()
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    let file = try folder.write("file", "contents")
    try folder.link("link", to: "file")
    let link = folder.url.appendingPathComponent("link")
    try stamper.appendStamp(to: link)
    try verifier.checkAppended(file)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "file")
  }

  @Test func aFailureLeavesTheFileAsItWas() throws {
    let folder = try StampingFolder()
    let file = try folder.write("file", "contents")
    let key = try PrivateKey.generate(.p256).publicKey
    let stamper = try FileStamper(publicKey: key) { _ in
      throw AtRestError(.locked, "Locked.", remedy: "Unlock.")
    }
    #expect(stampError { try stamper.appendStamp(to: file) }?.code == .locked)
    #expect(try Data(contentsOf: file) == Data("contents".utf8))
    #expect(try folder.names == ["file"])
  }

  @Test func whoeverReadsMeanwhileSeesOneOrTheOther() throws {
    let folder = try StampingFolder()
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    let file = try folder.write("file", Data(repeating: 7, count: 1 << 20))
    try stamper.appendStamp(to: file)
    let path = file.path
    DispatchQueue.concurrentPerform(iterations: 2) { thread in
      for _ in 0..<10 {
        if thread == 0 {
          #expect(throws: Never.self) { try stamper.appendStamp(to: URL(fileURLWithPath: path)) }
        } else {
          #expect(throws: Never.self) {
            try verifier.checkAppended(URL(fileURLWithPath: path))
          }
        }
      }
    }
  }

  @Test func aChangeDuringTheWorkIsRefused() throws {
    let folder = try StampingFolder()
    let file = try folder.write("file", "contents")
    let key = SigningKey(try PrivateKey.generate(.p256))
    let path = file.path
    let stamper = try FileStamper(publicKey: key.key.publicKey) { statement in
      try Data("other contents".utf8).write(to: URL(fileURLWithPath: path))
      return try key.key.signature(for: statement)
    }
    let error = stampError { try stamper.appendStamp(to: file) }
    #expect(error?.code == .system)
    #expect(error?.message.contains("changed while it was read") == true)
    #expect(try Data(contentsOf: file) == Data("other contents".utf8))
  }
}
