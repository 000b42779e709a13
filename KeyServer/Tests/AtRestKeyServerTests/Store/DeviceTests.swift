import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Crypto
import Foundation
import Testing

@Suite struct DeviceTests {
  @Test(arguments: TestDatabase.kinds)
  func `A code enrols one device`(kind: TestDatabase.Kind) throws {
    let clock = TestClock()
    let store = try TestDatabase(kind).store(clock: clock)
    try store.createAccount("eva")
    let publicKey = P256.Signing.PrivateKey().publicKey.x963Representation
    func enrol(_ code: String, isSigned: Bool = true) throws -> Enrolment.Answer {
      try store.enrol(
        Enrolment(code: code, publicKey: publicKey, label: ""), sequence: 1, isSigned: isSigned)
    }
    let code = try store.createCode(for: "eva", lifetime: 60)
    expectError(.notEnrolled) { try enrol("AAAAA-AAAAA-AAAAA-AAAAA-AAAAA") }
    expectError(.notEnrolled) { try enrol(code, isSigned: false) }
    #expect(try enrol(code.lowercased().replacingOccurrences(of: "-", with: " ")).account == "eva")
    expectError(.notEnrolled) { try enrol(code) }

    let late = try store.createCode(for: "eva", lifetime: 60)
    clock.advance(seconds: 61)
    expectError(.notEnrolled) { try enrol(late) }
  }

  @Test(arguments: TestDatabase.kinds)
  func `A revoked device or account is refused at the next request`(kind: TestDatabase.Kind) throws
  {
    let store = try TestDatabase(kind).store()
    try store.createAccount("eva")
    let device = try TestDevice(store, account: "eva")
    let other = try TestDevice(store, account: "eva")
    let request = KeyRequest(.deviceShare, name: "disk", creates: true)
    let share = try store.key(request, device.signature())
    #expect(share.key.count == 32)

    try store.revokeDevice(device.id)
    expectError(.revoked) { try store.key(request, device.signature()) }
    expectError(.revoked) { try device.attempt("right", store) }
    #expect(try store.key(request, other.signature()).key != share.key)

    try store.setAccount("eva", revoked: true)
    expectError(.revoked) { try store.key(request, other.signature()) }
    expectError(.revoked) { try other.attempt("right", store) }
    try store.setAccount("eva", revoked: false)
    #expect(try store.key(request, other.signature()).key.count == 32)
  }

  @Test(arguments: TestDatabase.kinds)
  func `A request is accepted once, and signatures must match`(kind: TestDatabase.Kind) throws {
    let store = try TestDatabase(kind).store()
    try store.createAccount("eva")
    let device = try TestDevice(store, account: "eva")
    let request = KeyRequest(.deviceShare, name: "disk", creates: true)
    let signature = try device.signature(sequence: 10)
    _ = try store.key(request, signature)
    expectError(.replayed) { try store.key(request, signature) }
    expectError(.replayed) { try store.key(request, device.signature(sequence: 9)) }
    var forged = try device.signature(sequence: 11)
    forged.signature[0] ^= 1
    expectError(.notEnrolled) { try store.key(request, forged) }
    var unknown = try device.signature(sequence: 11)
    unknown.request.device[0] ^= 1
    expectError(.notEnrolled) { try store.key(request, unknown) }
    _ = try store.key(request, device.signature(sequence: 11))
  }
}
