import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// How many keys an account and a device may have, and an audit log of several pages.
@Suite struct QuotaTests {
  @Test(arguments: [KeyRequest.Kind.deviceShare, .keyEncryption])
  func `The thousandth key is made, and no further one`(kind: KeyRequest.Kind) throws {
    let store = try TestDatabase(.embedded).store()
    try store.createAccount("eva")
    try store.createAccount("tom")
    let (phone, laptop) = (
      try TestDevice(store, account: "eva"), try TestDevice(store, account: "eva")
    )
    let tom = try TestDevice(store, account: "tom")
    func make(_ number: Int, _ device: TestDevice) throws {
      _ = try store.key(KeyRequest(kind, name: "key \(number)", creates: true), device.signature())
    }
    for number in 1...1000 { try make(number, phone) }
    let error = expectError(.invalidArgument) { try make(1001, phone) }
    #expect(error?.message.contains("at most 1000 keys") == true)
    // Those that exist are used as before.
    try make(1, phone)
    // The keys of an account are those of all its devices, and a device's shares are its own.
    if kind == .keyEncryption {
      expectError(.invalidArgument) { try make(1001, laptop) }
    } else {
      try make(1001, laptop)
    }
    try make(1001, tom)

    // The log was read in pages, whose ends are not lost.
    var numbers: [UInt64] = []
    var made = 0
    let (count, _) = try store.forEachAuditEntry { entry in
      numbers.append(entry.number)
      if entry.event.hasPrefix("key created: ") { made += 1 }
    }
    #expect(numbers == Array(1...count) && made == (kind == .keyEncryption ? 1001 : 1002))
  }

  @Test func `A key has at most 64 versions`() throws {
    let store = try TestDatabase(.embedded).store()
    try store.createAccount("eva")
    let device = try TestDevice(store, account: "eva")
    let request = KeyRequest(.keyEncryption, name: "documents", creates: true)
    _ = try store.key(request, device.signature())
    for _ in 2...64 { _ = try store.rotateKey(request, device.signature()) }
    expectError(.invalidArgument) { try store.rotateKey(request, device.signature()) }
    _ = try store.raiseMinimum(
      KeyRequest(.keyEncryption, name: "documents", version: 2), device.signature())
    #expect(try store.rotateKey(request, device.signature()).version == 65)
  }
}
