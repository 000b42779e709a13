import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// Devices and processes of one account that use the right passphrase at the same time.
@Suite struct ParallelProofTests {
  private func account(_ kind: TestDatabase.Kind, devices: Int) throws -> (
    KeyServerStore, [TestDevice]
  ) {
    let store = try TestDatabase(kind).store()
    try store.createAccount("eva")
    let devices = try (0..<devices).map { _ in try TestDevice(store, account: "eva") }
    try devices[0].register("right", store)
    return (store, devices)
  }

  @Test(arguments: TestDatabase.kinds)
  func `Each device proves its attempt, whoever is faster`(kind: TestDatabase.Kind) throws {
    let (store, devices) = try account(kind, devices: 12)
    let attempts = try devices.map { try $0.attempt("right", store) }
    for (device, attempt) in zip(devices, attempts).reversed() {
      try store.prove(attempt.proof, device.signature())
    }
    #expect(try store.accounts()[0].attempts == 0)
  }

  @Test(arguments: TestDatabase.kinds)
  func `Each process of a device proves its attempt`(kind: TestDatabase.Kind) throws {
    let (store, devices) = try account(kind, devices: 1)
    let attempts = try (0..<4).map { _ in try devices[0].attempt("right", store) }
    for attempt in attempts.reversed() {
      try store.prove(attempt.proof, devices[0].signature())
    }
    // The control: a wrong one is still wrong.
    let wrong = try devices[0].attempt("wrong", store)
    expectError(.authenticationFailed) { try store.prove(wrong.proof, devices[0].signature()) }
  }

  @Test(arguments: TestDatabase.kinds)
  func `A change of the passphrase meanwhile leaves the new one right`(
    kind: TestDatabase.Kind
  ) throws {
    let (store, devices) = try account(kind, devices: 2)
    let before = try devices[1].attempt("new", store)
    let old = try devices[1].attempt("right", store)
    let new = try devices[0].attempt("new", store)
    let former = try devices[0].attempt("right", store)
    try store.register(new.registration(former: former.proof), devices[0].signature())
    expectError(.authenticationFailed) { try store.prove(old.proof, devices[1].signature()) }
    try store.prove(before.proof, devices[1].signature())
  }

  @Test(arguments: TestDatabase.kinds)
  func `After the operator forgot the attempts, the right passphrase is to be tried again`(
    kind: TestDatabase.Kind
  ) throws {
    let (store, devices) = try account(kind, devices: 1)
    let right = try devices[0].attempt("right", store)
    let wrong = try devices[0].attempt("wrong", store)
    try store.unlockAccount("eva")
    let error = expectError(.throttled) { try store.prove(right.proof, devices[0].signature()) }
    #expect((error?.cause as? RetryTime)?.date != nil)
    expectError(.authenticationFailed) { try store.prove(wrong.proof, devices[0].signature()) }
  }
}
