import AtRestCrypto
import AtRestKeyServerClient
import AtRestKeyServerProtocol
import AtRestKeyServerStore
import Foundation
import Synchronization

/// Clients that work during an outage, behind a balancer that sends each request to any server: two devices of one
/// owner, who knows the passphrase, and a stranger who guesses that of another account.
///
/// It collects what must never happen: a right passphrase that is called wrong, a key that was lost or changed, and
/// an attempt that was answered and not counted.
final class OutageWatch: Sendable {
  /// What the clients have seen.
  struct Seen {
    var right = 0
    var offline = 0
    var throttled = 0
    /// The guesses that were evaluated since the last comparison with the count.
    var guesses = 0
    var shares: [String: Data] = [:]
    var faults: [String] = []
  }

  private struct Balancer: KeyServerTransport {
    let transports: [any KeyServerTransport]

    func send(path: String, headers: [(String, String)], body: Data) throws -> (Int, Data) {
      try transports[.random(in: transports.indices)].send(path: path, headers: headers, body: body)
    }
  }

  private static let guessed = "tom"
  private static let limit = AttemptRules.standard.limit
  private let devices: [KeyServerClient]
  private let balancer: Balancer
  private let key: Data
  private let element: GroupElement
  private let state = Mutex(Seen())
  private let isEnding = Atomic(false)

  var seen: Seen { state.withLock { $0 } }

  /// Makes the accounts, and enrols the devices.
  init(_ store: KeyServerStore, _ programs: [ServerProgram]) throws {
    balancer = Balancer(transports: try programs.map { try $0.transport() })
    try store.createAccount("eva")
    try store.createAccount(Self.guessed, policy: AccountPolicy(allowsUnknownDevices: true))
    devices = try (1...2).map { [balancer] number in
      try KeyServerClient.enrol(
        store.createCode(for: "eva"), label: "device \(number)", key: PrivateKey.generate(.p256),
        transport: balancer)
    }
    key = Data(copying: try devices[0].setPassphrase(Self.passphrase, kdf: TestKDF.fast))
    element = try BlindedInput(
      SecretBytes(utf8: "guess"), publicKey: EvaluationKey().publicKey
    ).element
  }

  private static var passphrase: SecretBytes { SecretBytes(utf8: "right") }

  /// Runs the clients while a closure runs, and after it until each device was served again.
  ///
  /// - Returns: The time from the end of the closure until each device was served.
  func run(during body: () throws -> Void) throws -> Duration {
    isEnding.store(false, ordering: .releasing)
    let threads = DispatchGroup()
    let works: [@Sendable () -> Void] = [
      { self.useDevice(0) }, { self.useDevice(1) }, { self.guess() },
    ]
    for work in works {
      threads.enter()
      Thread.detachNewThread {
        while !self.isEnding.load(ordering: .acquiring) { work() }
        threads.leave()
      }
    }
    defer {
      isEnding.store(true, ordering: .releasing)
      threads.wait()
    }
    try require(1)
    try body()
    let end = ContinuousClock.now
    // A request may be under way that was sent before.
    try require(4)
    return .now - end
  }

  /// Waits until a number of right passphrases were answered.
  private func require(_ number: Int) throws {
    let before = seen.right
    struct NobodyIsServed: Error { let seen: Seen }
    guard eventually(60, { seen.right >= before + number }) else {
      throw NobodyIsServed(seen: seen)
    }
  }

  private func useDevice(_ number: Int) {
    let device = devices[number]
    do {
      let hardened = Data(copying: try device.harden(Self.passphrase, kdf: TestKDF.fast))
      if hardened == key { note { $0.right += 1 } } else { fault("another key") }
      try useShare(of: number)
    } catch let error as AtRestError where error.code == .keyServerOffline {
      note { $0.offline += 1 }
      usleep(10_000)
    } catch let error as AtRestError
      where error.code == .throttled && (error.cause as? RetryTime)?.date != nil
    {
      note { $0.throttled += 1 }
      usleep(10_000)
    } catch {
      fault("device \(number): \(error)")
    }
  }

  /// Makes a share, or compares one with what it was. A device may have 1,000.
  private func useShare(of number: Int) throws {
    let own = seen.shares.filter { $0.key.hasPrefix("\(number).") }
    guard own.count >= 5, let (name, share) = own.randomElement() else {
      let name = "\(number).\(UInt32.random(in: 0 ... .max))"
      let share = Data(copying: try devices[number].share(name, creating: true))
      return note { $0.shares[name] = share }
    }
    let present = Data(copying: try devices[number].share(name))
    if present != share { fault("the share \(name) changed") }
  }

  private func guess() {
    do {
      let (status, _) = try balancer.send(
        path: "/v1/evaluate", headers: [],
        body: Evaluation(account: Self.guessed, element: element).encoded)
      switch status {
      case 200: note { $0.guesses += 1 }
      case 429, 503: usleep(10_000)
      default: fault("a guess was answered with status \(status)")
      }
    } catch {
      // There was no answer, so nothing was learned.
      usleep(10_000)
    }
  }

  /// Compares the count with the guesses that were evaluated, and all shares with what they were. Then the operator
  /// forgets the attempts.
  func compare(_ store: KeyServerStore) throws {
    let counted = try store.accounts().first { $0.name == Self.guessed }?.attempts ?? 0
    let guesses = seen.guesses
    if counted < guesses { fault("\(guesses) guesses were evaluated, and \(counted) counted") }
    if guesses > Self.limit { fault("\(guesses) guesses were evaluated") }
    for number in devices.indices {
      for (name, share) in seen.shares where name.hasPrefix("\(number).") {
        let present = Data(copying: try devices[number].share(name))
        if present != share { fault("the share \(name) changed") }
      }
    }
    for account in ["eva", Self.guessed] { try store.unlockAccount(account) }
    note {
      $0.guesses = 0
      $0.shares = [:]
    }
  }

  private func note(_ body: (inout Seen) -> Void) { state.withLock { body(&$0) } }
  private func fault(_ text: String) { note { $0.faults.append(text) } }
}
