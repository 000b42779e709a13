import AtRestContainers
import AtRestFormats
import Foundation
import Testing

/// Canaries and secrets in MessagePack and CBOR.
@Suite struct RecordTreesTests {
  private static let typed = "violet-kestrel-48"

  private func found(_ bytes: [UInt8]) throws -> [String] {
    let canary = try Canary(name: "typed", value: Self.typed)
    let scan = ContainerScan(ContainerSource(files: ["a.bin": bytes]), canaries: [canary])
    return try scan.run().discoveries.map { "\($0.locator)" }
  }

  private static func packed(_ text: String) -> [UInt8] {
    [0xD9, UInt8(text.utf8.count)] + Array(text.utf8)
  }

  private static func cbor(_ text: String) -> [UInt8] {
    [0x78, UInt8(text.utf8.count)] + Array(text.utf8)
  }

  @Test func messagePackIsATree() throws {
    let bytes =
      [0x82, 0xA2] + Array("id".utf8) + [0xCD, 1, 2] + [0xA5] + Array("pages".utf8) + [0x92, 0xC3]
      + [0x81] + Self.packed("note") + Self.packed(Self.typed)
    #expect(try found(bytes) == ["a.bin › msgpack › pages[1].note"])
  }

  @Test func aNameInMessagePackIsKnown() throws {
    let bytes = [0x81] + Self.packed("password") + Self.packed("Tr0ub4dor&3")
    #expect(try found(bytes) == ["a.bin › msgpack › password"])
  }

  @Test func cborIsATree() throws {
    let bytes =
      [0xD9, 0xD9, 0xF7, 0xA2] + Self.cbor("id") + [0x19, 1, 2] + Self.cbor("pages")
      + [0x82, 0xF5, 0xBF] + Self.cbor("note") + Self.cbor(Self.typed) + [0xFF]
    #expect(try found(bytes) == ["a.bin › cbor › pages[1].note"])
  }

  @Test func cutDocumentsAreNoTrees() {
    let whole = [0x81] + Self.packed("note") + Self.packed(Self.typed)
    let other = [0xA1] + Self.cbor("note") + Self.cbor(Self.typed)
    #expect(MessagePackReader.read(whole) != nil && CBORReader.read(other) != nil)
    for count in 0..<whole.count {
      #expect(MessagePackReader.read(Array(whole.prefix(count))) == nil)
      #expect(CBORReader.read(Array(other.prefix(count))) == nil)
    }
  }

  @Test func deepAndWideClaimsAreRefused() {
    #expect(MessagePackReader.read([UInt8](repeating: 0x91, count: 100_000)) == nil)
    #expect(MessagePackReader.read([0xDF, 0xFF, 0xFF, 0xFF, 0xFF, 0xA1]) == nil)
    #expect(CBORReader.read([UInt8](repeating: 0x81, count: 100_000)) == nil)
    #expect(CBORReader.read([0xBB, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1]) == nil)
  }
}
