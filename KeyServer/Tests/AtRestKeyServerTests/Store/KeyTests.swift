import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

@Suite struct KeyTests {
  @Test(arguments: TestDatabase.kinds)
  func `Versions rotate, and a minimum destroys old ones`(kind: TestDatabase.Kind) throws {
    let store = try TestDatabase(kind).store()
    try store.createAccount("eva")
    let device = try TestDevice(store, account: "eva")
    var request = KeyRequest(.deviceShare, name: "disk")
    expectError(.notFound) { try store.key(request, device.signature()) }
    request.creates = true
    let first = try store.key(request, device.signature())
    #expect(first.version == 1)
    #expect(try store.rotateKey(request, device.signature()).version == 2)
    let second = try store.key(request, device.signature())
    #expect(second.version == 2 && second.key != first.key)
    request.version = 1
    #expect(try store.key(request, device.signature()).key == first.key)
    request.version = 2
    #expect(try store.raiseMinimum(request, device.signature()).minimum == 2)
    request.version = 1
    expectError(.notPermitted) { try store.key(request, device.signature()) }
    request.version = 3
    expectError(.notFound) { try store.key(request, device.signature()) }
    expectError(.invalidArgument) { try store.raiseMinimum(request, device.signature()) }
  }

  @Test(arguments: TestDatabase.kinds)
  func `Keys belong to their owner`(kind: TestDatabase.Kind) throws {
    let store = try TestDatabase(kind).store()
    try store.createAccount("eva")
    try store.createAccount("tom")
    let phone = try TestDevice(store, account: "eva")
    let laptop = try TestDevice(store, account: "eva")
    let stranger = try TestDevice(store, account: "tom")
    func key(_ kind: KeyRequest.Kind, _ device: TestDevice) throws -> Data {
      try store.key(KeyRequest(kind, name: "a", creates: true), device.signature()).key
    }
    #expect(try key(.keyEncryption, phone) == key(.keyEncryption, laptop))
    #expect(try key(.keyEncryption, phone) != key(.keyEncryption, stranger))
    #expect(try key(.deviceShare, phone) != key(.deviceShare, laptop))
    #expect(try key(.deviceShare, phone) != key(.keyEncryption, phone))
  }

  @Test(arguments: TestDatabase.kinds)
  func `Each wrapped key has a wrapping key of its own`(kind: TestDatabase.Kind) throws {
    let store = try TestDatabase(kind).store()
    try store.createAccount("eva")
    let device = try TestDevice(store, account: "eva")
    func key(_ identifier: UInt8) throws -> Data {
      try store.key(
        KeyRequest(
          .keyEncryption, name: "a", identifier: Data(repeating: identifier, count: 16),
          creates: true), device.signature()
      ).key
    }
    #expect(try key(1) == key(1))
    #expect(try key(1) != key(2))
  }
}
