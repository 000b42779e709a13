@_spi(Tools) import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// A device that is locked out, as a client and an operator see it over the network.
@Suite struct LockoutTests {
  private let database: TestDatabase
  private let store: KeyServerStore

  init() throws {
    database = try TestDatabase(TestDatabase.kinds.last ?? .embedded)
    store = try KeyServerStore(
      Database(database.place), serverKey: SecretBytes(database.serverKey))
    try store.createAccount("eva")
  }

  private func client(_ program: ServerProgram) throws -> KeyServerClient {
    try KeyServerClient.enrol(
      store.createCode(for: "eva"), label: "", key: PrivateKey.generate(.p256),
      transport: program.transport())
  }

  private func harden(_ client: KeyServerClient, _ passphrase: String) throws {
    _ = try client.harden(SecretBytes(utf8: passphrase), kdf: TestKDF.fast)
  }

  /// Makes as many attempts as are allowed without a wait.
  private func lockOut(_ client: KeyServerClient) throws {
    for _ in 0..<5 { expectError(.authenticationFailed) { try harden(client, "wrong") } }
  }

  @Test func `It concerns one device, and the right passphrase has to wait too`() throws {
    let program = try ServerProgram(database)
    let (laptop, phone) = (try client(program), try client(program))
    _ = try laptop.setPassphrase(SecretBytes(utf8: "right"), kdf: TestKDF.fast)
    try lockOut(phone)
    let error = expectError(.throttled) { try harden(phone, "right") }
    let date = try #require((error?.cause as? RetryTime)?.date)
    #expect((1...61).contains(date.timeIntervalSinceNow))
    // What needs no passphrase goes on, and so does the other device.
    #expect(try phone.share("disk", creating: true).count == 32)
    try harden(laptop, "right")
    #expect(program.stop() == 0)
  }

  @Test func `A restart of the server does not end it, and the operator does`() throws {
    let program = try ServerProgram(database)
    let key = try PrivateKey.generate(.p256)
    let pem = key.pemRepresentation
    let laptop = try KeyServerClient.enrol(
      store.createCode(for: "eva"), label: "", key: key, transport: program.transport())
    _ = try laptop.setPassphrase(SecretBytes(utf8: "right"), kdf: TestKDF.fast)
    try lockOut(laptop)
    program.kill()
    let second = try ServerProgram(database)
    let again = KeyServerClient(
      laptop.identity, key: try PrivateKey(importing: pem), transport: try second.transport())
    expectError(.throttled) { try harden(again, "right") }
    let serverKey = TemporaryFile()
    try serverKey.write(database.serverKey.hexadecimal)
    let unlocked = try ChildProcess.capture(
      [ServerProgram.path, "account", "unlock", "eva", "--server-key", serverKey.path]
        + database.flags)
    #expect(unlocked.status == 0, "\(unlocked.errors)")
    try harden(again, "right")
    #expect(second.stop() == 0)
  }
}
