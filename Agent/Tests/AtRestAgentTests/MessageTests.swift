import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import NIOCore
import Testing

@testable import AtRestAgent

/// The bytes of messages.
struct MessageTests {
  private static let key = PrimaryKey.internetPassword(
    server: "a.b", account: "é", port: 1, path: "/", networkProtocol: 5, group: "g")

  private static let requests: [AgentRequest] = [
    .status, .unlock(passcode: AgentRun.secret("p")), .lock, .get(key, groups: ["g", "h"]),
    .set(key, secret: AgentRun.secret("s"), accessible: .always, groups: []),
    .delete(key, groups: []),
    .list(.key, [.label: "x", .creationDate: .date(.now)], groups: ["g"]),
    .grants, .log(count: 5),
    .addGrant(
      AgentGrant(.init(.label, "l"), groups: ["g"], mayWrite: true), passcode: AgentRun.secret("p")),
    .removeGrant("id", passcode: AgentRun.secret("p")),
    .fileKey(.wrap(.random(count: 32), under: .complete, file: "/é", store: store)),
    .fileKey(.unwrap(Data(count: 72), under: .completeUnlessOpen, file: "", store: store)),
  ]

  private static let store = StoreIdentity(text: String(repeating: "0a", count: 16))!

  private func bytes(_ request: AgentRequest) throws -> [UInt8] {
    try request.encoded(for: Self.store).withUnsafeBytes { Array($0) }
  }

  private func decoded(_ bytes: [UInt8]) throws -> AgentRequest {
    try bytes.withUnsafeBytes { try AgentRequest(decoding: $0, for: Self.store) }
  }

  @Test func everyRequestIsReadAsItWasWritten() throws {
    for request in Self.requests {
      let encoded = try bytes(request)
      let again = try decoded(encoded)
      #expect(try bytes(again) == encoded, "\(request.operation)")
      #expect(again.operation == request.operation)
    }
  }

  @Test func onlyTheClassesOfFilesHaveFileKeys() throws {
    for keyClass in KeyClass.allCases {
      let encoded = try bytes(
        .fileKey(.unwrap(Data(count: 40), under: keyClass, file: "f", store: Self.store)))
      if keyClass.rawValue <= KeyClass.noProtection.rawValue {
        #expect(throws: Never.self) { try decoded(encoded) }
      } else {
        #expect(throws: AtRestError.self) { try decoded(encoded) }
      }
    }
  }

  /// A key of another length is refused.
  @Test func theKeyOfAFileHas32Bytes() throws {
    for (count, isAccepted) in [(31, false), (32, true), (33, false)] {
      let encoded = try bytes(
        .fileKey(.wrap(.random(count: count), under: .complete, file: "f", store: Self.store)))
      #expect(((try? decoded(encoded)) != nil) == isAccepted)
    }
  }

  /// Cut, extended and changed messages are refused with an error, or mean another request.
  @Test func otherBytesDoNoHarm() throws {
    for request in Self.requests {
      let encoded = try bytes(request)
      for count in 0..<encoded.count {
        #expect(throws: AtRestError.self) { try decoded(Array(encoded[..<count])) }
      }
      #expect(throws: AtRestError.self) { try decoded(encoded + [0]) }
      for index in encoded.indices {
        for value in [UInt8(0), 1, 0x7F, 0xFF] {
          var changed = encoded
          changed[index] = value
          do { _ = try decoded(changed) } catch { #expect(error is AtRestError) }
        }
      }
    }
  }

  @Test func responsesAreReadAsTheyWereWritten() throws {
    let error = AtRestError(.locked, "m", remedy: "r")
    for response in [
      AgentResponse.done, .secret(AgentRun.secret("s")), .document(Data([1, 2])), .refused(error),
    ] {
      let encoded = response.encoded()
      let again = try encoded.withUnsafeBytes { try AgentResponse(decoding: $0) }
      let twice = again.encoded()
      let isSame = twice.isEqual(to: encoded)
      #expect(isSame)
    }
    #expect(throws: AtRestError.self) {
      try ([3, 0] as [UInt8]).withUnsafeBytes { try AgentResponse(decoding: $0) }
    }
  }

  @Test func framesAreBounded() throws {
    var reader = FrameReader()
    func next() throws -> [UInt8]? {
      try reader.next { try Frame.size(of: $0, largest: 10) }?.bytes.withUnsafeBytes { Array($0) }
    }
    try reader.append(ByteBuffer(bytes: [0, 0, 0]))
    #expect(try next() == nil)
    try reader.append(ByteBuffer(bytes: [3, 1, 2]))
    #expect(try next() == nil)
    try reader.append(ByteBuffer(bytes: [3, 0]))
    #expect(try next() == [1, 2, 3])
    #expect(reader.count == 1)
    for length in [[0, 0, 0, 0], [0, 0, 0, 11], [255, 255, 255, 255]] as [[UInt8]] {
      reader = FrameReader()
      try reader.append(ByteBuffer(bytes: length))
      #expect(throws: AtRestError.self) { try next() }
    }
  }

  /// The bytes in SwiftNIO's buffer are overwritten, although it still has a reference to it.
  @Test func receivedBytesAreErased() throws {
    var reader = FrameReader()
    let part = ByteBuffer(bytes: [1, 2, 3])
    let other = part
    try reader.append(part)
    #expect(Array(buffer: other) == [0, 0, 0])
    #expect(reader.count == 3)
  }
}
