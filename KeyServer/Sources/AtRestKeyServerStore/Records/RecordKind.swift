import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The kinds of records, for tests that decode bytes as one of them.
package enum RecordKind: UInt8, CaseIterable, Sendable {
  case state, account, attempts, code, device, key, audit, server

  /// Decodes the contents of a row, and encodes them again.
  package func recode(_ contents: Data) throws -> Data {
    switch self {
    case .state: try recode(StateRecord.self, contents)
    case .account: try recode(AccountRecord.self, contents)
    case .attempts: try recode(AttemptsRecord.self, contents)
    case .code: try recode(CodeRecord.self, contents)
    case .device: try recode(DeviceRecord.self, contents)
    case .key: try recode(KeyRecord.self, contents)
    case .audit: try recode(AuditRecord.self, contents)
    case .server: try recode(ServerRecord.self, contents)
    }
  }

  /// The contents of a row as the server writes them.
  package var sample: Data {
    switch self {
    case .state: Data(copying: StateRecord().contents)
    case .account:
      Data(copying: AccountRecord(account: "eva", policy: AccountPolicy()).contents)
    case .attempts:
      Data(copying: Self.sampleAttempts.contents)
    case .code: Data(copying: CodeRecord(account: Data(count: 32)).contents)
    case .device:
      Data(
        copying: DeviceRecord(publicKey: Data(count: 65), label: "a phone", sequence: 7).contents)
    case .key: Data(copying: KeyRecord(name: "documents").contents)
    case .audit: Data(copying: AuditRecord(event: "created", chain: Data(count: 32)).contents)
    case .server: Data(copying: ServerRecord(counter: 7).contents)
    }
  }

  /// The contents of rows of accounts that are moving to another suite, or that have moved.
  package static var movingAccounts: [Data] {
    let (verifyingKey, carried) = (Data(count: 32), Data(count: HardenedRoot.carriedCount))
    let signature = Data(count: Successor.signatureCount)
    let next = { (prepared: Succession.Prepared?) in
      Succession.next(.init(key: EvaluationSecret(), signature: signature, prepared: prepared))
    }
    let former = { Succession.former(.init(signature: signature, passphrase: $0)) }
    let moving = [next(nil), next(.init(verifyingKey: verifyingKey, carried: carried))]
    let moved = [former(nil), former(.init(verifyingKey: verifyingKey, carried: carried))]
    let rows = moving.map { (EvaluationSuite.p384, $0) } + moved.map { (.ristretto255, $0) }
    return rows.map { suite, succession in
      var account = AccountRecord(account: "eva", policy: AccountPolicy(), suite: suite)
      account.verifyingKey = verifyingKey
      account.succession = succession
      return Data(copying: account.contents)
    }
  }

  private static var sampleAttempts: AttemptsRecord {
    var record = AttemptsRecord()
    var counter = record[AttemptCounter.stranger]
    try? record.add(
      Data(count: Limits.identifier), to: &counter, delay: 1, isOwn: true, now: 1)
    return record
  }

  private func recode<R: Record>(_: R.Type, _ contents: Data) throws -> Data {
    let row = Row(
      id: Data(), owner: Data(), time: 0, edition: 0, stamp: 0,
      contents: SecretHolder(SecretBytes(contents)))
    return Data(copying: try R(row).contents)
  }
}
