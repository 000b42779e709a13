import ArgumentParser
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Crypto
import Foundation

/// `keyserver-bench prepare`: creates accounts with a device and a passphrase.
struct PrepareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prepare",
    abstract: "Creates accounts with a device and a passphrase.")

  @OptionGroup var options: BenchOptions
  @Option(help: "The accounts of each kind and suite.") var accounts = 2000
  @Option(parsing: .upToNextOption, help: "Their suites: p384, ristretto255.")
  var suites = ["ristretto255", "p384"]

  func run() throws {
    let store = try options.store(delays: false)
    for suite in suites.map({ $0 == "p384" ? EvaluationSuite.p384 : .ristretto255 }) {
      let names = Names(suite)
      for index in 0..<accounts {
        try create(
          names.open(index), AccountPolicy(allowsUnknownDevices: true), suite: suite, store)
        try create(names.closed(index), AccountPolicy(), suite: suite, store)
      }
    }
  }

  private func create(
    _ name: String, _ policy: AccountPolicy, suite: EvaluationSuite, _ store: KeyServerStore
  ) throws {
    try store.createAccount(name, policy: policy, suite: suite)
    let key = P256.Signing.PrivateKey()
    let enrolled = try store.enrol(
      Enrolment(
        code: store.createCode(for: name), publicKey: key.publicKey.x963Representation,
        label: "a device"), sequence: 1, isSigned: true)
    let registration = Registration(
      account: name, publicKey: enrolled.publicKey,
      verifyingKey: Curve25519.Signing.PrivateKey().publicKey.rawRepresentation,
      former: nil)
    let request = SignedRequest(
      realm: enrolled.realm, device: enrolled.device, sequence: 2, path: "/v1/register",
      body: registration.encoded)
    let signature = try key.signature(for: request.signedBytes).rawRepresentation
    try store.register(registration, RequestSignature(request: request, signature: signature))
  }
}
