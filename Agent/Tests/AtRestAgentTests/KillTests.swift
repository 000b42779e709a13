import AtRestCrypto
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import Testing

@testable import AtRestAgent

/// The agent or its client is killed in the middle of a request. Nothing that was confirmed is lost,
/// nothing is half done, and the next agent serves the store.
@Suite(.serialized) struct KillTests {
  enum Operation: String, CaseIterable {
    case get, set, delete, unlock, addGrant
  }

  /// The moment of the kill.
  enum Moment: String, CaseIterable {
    case connected, halfARequest, request, answering, answered
  }

  enum Victim: String, CaseIterable {
    case agent, client
  }

  private static let old = "old secret"
  private static let new = "new secret"

  private static func key(_ account: String) -> PrimaryKey {
    .genericPassword(service: "kill", account: account, group: "mail")
  }

  /// Each round has names of its own, because the request of a client that was killed may still be
  /// under way in the next round.
  private func request(_ operation: Operation, _ round: Int) -> AgentRequest {
    switch operation {
    case .get: .get(Self.key("large"), groups: [])
    case .set:
      .set(
        Self.key("changed \(round)"), secret: AgentRun.secret(Self.new), accessible: .whenUnlocked,
        groups: [])
    case .delete: .delete(Self.key("deleted \(round)"), groups: [])
    case .unlock: .unlock(passcode: AgentRun.secret(AgentRun.passcode))
    case .addGrant:
      .addGrant(
        AgentGrant(AgentEvidence(.label, "added-\(round)"), groups: ["mail"], mayWrite: false),
        passcode: AgentRun.secret(AgentRun.passcode))
    }
  }

  @Test(arguments: Operation.allCases, Victim.allCases)
  func nothingIsLost(_ operation: Operation, _ victim: Victim) throws {
    let run = try AgentRun()
    try run.grant("mail", mayWrite: true)
    try run.unlock()
    // A read of this secret needs several writes of the agent.
    let large = RandomBytes.data(count: 900_000)
    var round = 0
    var agent = try AgentProgram(run.location, in: run.folder)
    if operation == .get {
      let connection = try agent.connect()
      try connection.send(.unlock(passcode: AgentRun.secret(AgentRun.passcode)))
      try set("large", large, connection)
    }
    for moment in Moment.allCases {
      // The delays hit the agent before, in and after its work.
      for delay in moment == .request ? [0, 300, 2_000, 20_000] as [UInt32] : [0] {
        let name = Comment(rawValue: "\(moment) \(delay)")
        round += 1
        let message = Data(
          copying: try request(operation, round).encoded(for: run.service.identity))
        let frame = RawClient.frame(Array(message))
        try prepare(agent, round, isUnlocked: operation != .unlock)
        var client: RawClient? = try RawClient(agent.socket)
        client?.limit(seconds: 60)
        var isDone = false
        switch moment {
        case .connected: break
        case .halfARequest: client?.write(Array(frame.prefix(frame.count / 2)))
        case .request:
          client?.write(frame)
          usleep(delay)
        case .answering:
          client?.write(frame)
          #expect(client?.read(1).count == 1, name)
        case .answered:
          client?.write(frame)
          let answer = try #require(client?.answer(), name)
          try answer.withUnsafeBytes { bytes in
            if case .refused(let error) = try AgentResponse(decoding: bytes) { throw error }
          }
          isDone = true
        }
        if victim == .agent {
          agent.kill()
          agent = try AgentProgram(run.location, in: run.folder)
        } else {
          // The system closes the connection of a process that is killed.
          client = nil
        }
        let isBegun = moment != .connected && moment != .halfARequest
        try check(agent, operation, round, large, isBegun: isBegun, isDone: isDone, name)
      }
    }
    #expect(try run.location.openKeybag().failedAttempts() == 0)
  }

  /// Adds the items of a round, as they are before the request.
  private func prepare(_ agent: AgentProgram, _ round: Int, isUnlocked: Bool) throws {
    let connection = try agent.connect()
    try connection.send(.unlock(passcode: AgentRun.secret(AgentRun.passcode)))
    for account in ["changed \(round)", "deleted \(round)"] {
      try set(account, Data(Self.old.utf8), connection)
    }
    if !isUnlocked { try connection.send(.lock) }
  }

  private func set(_ account: String, _ secret: Data, _ connection: AgentConnection) throws {
    try connection.send(
      .set(
        Self.key(account), secret: AgentSecret(SecretBytes(secret)), accessible: .whenUnlocked,
        groups: []))
  }

  private func grants(_ connection: AgentConnection, _ round: Int) throws -> [AgentGrant] {
    let all: [AgentGrant] = try connection.document(.grants)
    return all.filter { $0.evidence.value == "added-\(round)" }
  }

  private func check(
    _ agent: AgentProgram, _ operation: Operation, _ round: Int, _ large: Data, isBegun: Bool,
    isDone: Bool, _ name: Comment
  ) throws {
    let connection = try agent.connect()
    try connection.send(.unlock(passcode: AgentRun.secret(AgentRun.passcode)))
    func secret(_ account: String) throws -> Data? {
      do {
        return Data(copying: try connection.secret(.get(Self.key(account), groups: [])))
      } catch let error as AtRestError where error.code == .notFound {
        return nil
      }
    }
    if operation == .get { #expect(try secret("large") == large, name) }
    let (changed, deleted) = (try secret("changed \(round)"), try secret("deleted \(round)"))
    let added = try grants(connection, round).count
    let isChanged: Bool
    switch operation {
    case .get, .unlock: isChanged = isDone
    case .set: isChanged = changed == Data(Self.new.utf8)
    case .delete: isChanged = deleted == nil
    case .addGrant: isChanged = added == 1
    }
    // Controls: a confirmed change is there, and a request that did not arrive changed nothing.
    if isDone { #expect(isChanged, name) }
    if !isBegun { #expect(!isChanged, name) }
    let (before, after) = (Data(Self.old.utf8), Data(Self.new.utf8))
    #expect(changed == (operation == .set && isChanged ? after : before), name)
    #expect(deleted == (operation == .delete && isChanged ? nil : before), name)
    #expect(added == (operation == .addGrant && isChanged ? 1 : 0), name)
  }
}
