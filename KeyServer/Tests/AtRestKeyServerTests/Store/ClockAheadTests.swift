@_spi(Tools) import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// Clocks that are wrong for a time, of the server and of a device.
@Suite struct ClockAheadTests {
  @Test(arguments: TestDatabase.kinds)
  func `After the server's clock was ahead, nobody waits longer than the delay`(
    kind: TestDatabase.Kind
  ) throws {
    let clock = TestClock()
    let store = try TestDatabase(kind).store(clock: clock)
    try store.createAccount("eva")
    let device = try TestDevice(store, account: "eva")
    try device.register("right", store)
    clock.advance(seconds: 365 * 86_400)
    for _ in 0..<5 { _ = try device.attempt("wrong", store) }
    expectError(.throttled) { try device.attempt("right", store) }
    clock.advance(seconds: -365 * 86_400)
    let error = expectError(.throttled) { try device.attempt("right", store) }
    let date = try #require((error?.cause as? RetryTime)?.date)
    #expect(date.timeIntervalSince1970 * 1000 <= Double(clock.milliseconds + 60_000))
    // The control: the delay holds.
    clock.advance(seconds: 59)
    expectError(.throttled) { try device.attempt("right", store) }
    clock.advance(seconds: 1)
    try store.prove(device.attempt("right", store).proof, device.signature())
  }

  @Test(arguments: TestDatabase.kinds)
  func `After the server's clock was ahead, attempts of a year are back after a year`(
    kind: TestDatabase.Kind
  ) throws {
    let year: Int64 = 365 * 86_400
    let clock = TestClock()
    let store = try TestDatabase(kind).store(clock: clock)
    try store.createAccount("eva", policy: AccountPolicy(attemptsPerYear: 3))
    let device = try TestDevice(store, account: "eva")
    try device.register("right", store)
    clock.advance(seconds: 5 * year)
    for _ in 0..<3 { _ = try device.attempt("wrong", store) }
    clock.advance(seconds: -5 * year)
    // The control: they are used up.
    let error = expectError(.throttled) { try device.attempt("right", store) }
    let date = try #require((error?.cause as? RetryTime)?.date)
    #expect(date.timeIntervalSince1970 * 1000 <= Double(clock.milliseconds + year * 1000))
    clock.advance(seconds: year - 1)
    expectError(.throttled) { try device.attempt("right", store) }
    clock.advance(seconds: 1)
    try store.prove(device.attempt("right", store).proof, device.signature())
  }

  @Test func `A device whose clock was ahead goes on from the server's number`() async throws {
    let store = try TestDatabase(.embedded).store()
    try store.createAccount("eva")
    try await TestServer.run(store) { server in
      let device = try TestDevice(store, account: "eva")
      let answer = Enrolment.Answer(
        realm: device.realm, device: device.id, account: "eva", publicKey: device.publicKey)
      let identity = try KeyServerIdentity(decoding: answer.encoded)
      let client = KeyServerClient(
        identity, key: try PrivateKey(importing: SecretBytes(utf8: device.key.pemRepresentation)),
        transport: try server.transport())
      // Another process of the device, with a clock four years ahead.
      let ahead = UInt64((Date().timeIntervalSince1970 + 4 * 365 * 86_400) * 1_000_000)
      let request = SignedRequest(
        realm: device.realm, device: device.id, sequence: ahead, path: "/v1/keys/get",
        body: KeyRequest(.deviceShare, name: "disk", creates: true).encoded)
      let signature = try device.key.signature(for: request.signedBytes).rawRepresentation
      func send(_ sequence: UInt64, _ signature: Data) throws -> (Int, Data) {
        try server.transport().send(
          path: request.path,
          headers: [
            (SignedRequest.deviceHeader, device.id.hexadecimal),
            (SignedRequest.sequenceHeader, "\(sequence)"),
            (SignedRequest.signatureHeader, signature.hexadecimal),
          ], body: request.body)
      }
      #expect(try send(ahead, signature).0 == 200)
      // The number is told to the device only.
      let refused = try RefusalBody(decoding: send(ahead, signature).1)
      #expect(refused.code == "replayed" && refused.sequence == ahead)
      let forged = try RefusalBody(decoding: send(ahead, Data(count: 64)).1)
      #expect(forged.code == "not-enrolled" && forged.sequence == 0)

      let share = Data(copying: try client.share("disk"))
      #expect(share.count == 32)
      #expect(Data(copying: try client.share("disk")) == share)
    }
  }
}
