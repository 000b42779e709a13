import AtRestCrypto
import AtRestKeychain
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
    .delete(key, groups: []), .list(.key, [.label: "x", .startDate: .date(.now)], groups: ["g"]),
    .grants, .log(count: 5),
    .addGrant(
      AgentGrant(.init(.label, "l"), groups: ["g"], mayWrite: true), passcode: AgentRun.secret("p")),
    .removeGrant("id", passcode: AgentRun.secret("p")),
  ]

  private func bytes(_ request: AgentRequest) throws -> [UInt8] {
    try request.encoded().withUnsafeBytes { Array($0) }
  }

  private func decoded(_ bytes: [UInt8]) throws -> AgentRequest {
    try bytes.withUnsafeBytes { try AgentRequest(decoding: $0) }
  }

  @Test func everyRequestIsReadAsItWasWritten() throws {
    for request in Self.requests {
      let encoded = try bytes(request)
      let again = try decoded(encoded)
      #expect(try bytes(again) == encoded, "\(request.operation)")
      #expect(again.operation == request.operation)
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
      try ([2, 0] as [UInt8]).withUnsafeBytes { try AgentResponse(decoding: $0) }
    }
  }

  @Test func framesAreBounded() throws {
    var buffer = ByteBuffer(bytes: [0, 0, 0])
    #expect(try Frame.next(in: &buffer, largest: 10) == nil)
    buffer.writeBytes([3, 1, 2])
    #expect(try Frame.next(in: &buffer, largest: 10) == nil)
    buffer.writeBytes([3, 0])
    let frame = try #require(try Frame.next(in: &buffer, largest: 10))
    #expect(frame.bytes.withUnsafeBytes { Array($0) } == [1, 2, 3])
    #expect(buffer.readableBytes == 1)
    for length in [[0, 0, 0, 0], [0, 0, 0, 11], [255, 255, 255, 255]] as [[UInt8]] {
      var wrong = ByteBuffer(bytes: length)
      #expect(throws: AtRestError.self) { try Frame.next(in: &wrong, largest: 10) }
    }
  }
}
