import AtRestCrypto
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Testing

/// The time of an answer must not tell which accounts exist, so the database does the same for all.
@Suite(.enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed."))
struct EqualWorkTests {
  private let database: TestDatabase
  private let store: KeyServerStore

  init() throws {
    database = try TestDatabase(.postgreSQL, logsStatements: true)
    store = try database.store(rules: AttemptRules(limit: 2, delays: []))
  }

  /// Creates an account whose owner has used it.
  private func makeAccount(_ name: String, policy: AccountPolicy) throws -> TestDevice {
    try store.createAccount(name, policy: policy)
    let device = try TestDevice(store, account: name)
    try device.register("right", store)
    try store.prove(device.attempt("right", store).proof, device.signature())
    return device
  }

  /// Returns the statements that a closure causes.
  private func statements(_ body: () throws -> Void) throws -> [String] {
    let former = try database.statements().count
    try body()
    return Array(try database.statements().dropFirst(former))
  }

  private func guess(
    _ account: String, _ signature: RequestSignature? = nil,
    _ suite: EvaluationSuite = .ristretto255
  ) throws {
    do {
      _ = try TestAttempt("guess", account: account, publicKey: nil, store, signature, suite: suite)
    } catch let error as AtRestError where error.code == .throttled {}
  }

  private func prove(_ account: String, _ signature: RequestSignature?) throws {
    let proof = Proof(
      account: account, attempt: Data(count: 16), signature: RandomBytes.data(count: 64))
    expectError(.authenticationFailed) { try store.prove(proof, signature) }
  }

  /// Returns the statements of each request, up to attempts beyond the limit.
  ///
  /// - Parameter stranger: A device of another account that signs the requests, or nil.
  private func work(
    _ account: String, _ stranger: TestDevice?, _ suite: EvaluationSuite
  ) throws -> [[String]] {
    let proof = { try statements { try prove(account, stranger?.signature()) } }
    let attempt = { try statements { try guess(account, stranger?.signature(), suite) } }
    return [
      try proof(), try attempt(), try proof(), try attempt(), try attempt(), try attempt(),
      try proof(),
    ]
  }

  @Test(arguments: [false, true], EvaluationSuite.allCases)
  func `Each request of a stranger runs the same statements for all names`(
    isSigned: Bool, suite: EvaluationSuite
  ) throws {
    let stranger = isSigned ? try makeAccount("stranger", policy: AccountPolicy()) : nil
    let open = AccountPolicy(allowsUnknownDevices: true)
    _ = try makeAccount("open", policy: open)
    let destroyed = try makeAccount(
      "destroyed", policy: AccountPolicy(destroysKey: true, allowsUnknownDevices: true))
    for _ in 0..<3 { _ = try? destroyed.attempt("wrong", store) }
    #expect(try store.accounts().first { $0.name == "destroyed" }?.isKeyDestroyed == true)
    _ = try makeAccount("closed", policy: AccountPolicy())
    _ = try makeAccount("revoked", policy: open)
    try store.setAccount("revoked", revoked: true)
    try store.createAccount("unused", policy: open)
    try store.createAccount("old", policy: open, suite: .p384)
    let expected = try work("nobody", stranger, suite)
    #expect(expected.allSatisfy { $0.count > 3 && $0.first == "BEGIN" })
    for name in ["open", "destroyed", "closed", "revoked", "unused", "old", "nobody else"] {
      #expect(try work(name, stranger, suite) == expected, "\(name)")
    }
  }

  @Test func `The statements of a signed request are others`() throws {
    let device = try makeAccount("open", policy: AccountPolicy(allowsUnknownDevices: true))
    let unsigned = try statements { try guess("nobody") }
    let signed = try statements { try guess("open", device.signature()) }
    #expect(signed != unsigned && signed.count > unsigned.count)
  }
}
