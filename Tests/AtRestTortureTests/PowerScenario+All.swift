import Foundation

/// The operations on a store during which power is lost.
extension PowerScenario {
  static let all: [PowerScenario] =
    [nil, passcode].flatMap { passcode in
      let items = items(passcode)
      let with = passcode == nil ? "" : " with a passcode"
      return [
        writing("an add" + with, passcode, "add", adding(0...1, passcode)),
        writing("ten adds" + with, passcode, "add-ten", adding(0...10, passcode)),
        writing(
          "an update" + with, passcode, "update",
          [items, items.merging(["1": "changed 1"]) { $1 }]),
        writing("a delete" + with, passcode, "delete", [items, items.filter { $0.key != "1" }]),
      ]
    } + [
      changing("a first passcode", from: nil, to: passcode),
      changing("a change of passcode", from: passcode, to: "another passcode"),
      changing("a removal of the passcode", from: passcode, to: nil),
      wrongPasscode, lastPasscode, wipe, acceptOlder(passcode: nil),
      acceptOlder(passcode: passcode),
    ]

  static func named(_ name: String) throws -> PowerScenario {
    guard let scenario = all.first(where: { $0.name == name }) else {
      throw CocoaError(.featureUnsupported)
    }
    return scenario
  }

  /// Returns the items after each of some adds.
  private static func adding(
    _ counts: ClosedRange<Int>, _ passcode: String?
  ) -> [[String: String]] {
    counts.map { count in
      items(passcode).merging((3..<3 + count).map { ("\($0)", "secret \($0)") }) { $1 }
    }
  }

  private static func writing(
    _ name: String, _ passcode: String?, _ kind: String, _ items: [[String: String]]
  ) -> PowerScenario {
    PowerScenario(
      name: name, passcode: passcode, program: { try writes($0, passcode, kind) },
      models: models(items.map { (passcode, $0) }))
  }

  private static func changing(
    _ name: String, from old: String?, to new: String?
  ) -> PowerScenario {
    PowerScenario(
      name: name, passcode: old, program: { try writes($0, old, "passcode", new ?? "") },
      models: models([(old, items(old)), (new, items(old == nil ? nil : new))]))
  }

  /// The right passcode is counted as an attempt before it is tried. Before the first write one
  /// attempt may therefore be counted, and afterwards none is.
  private static func models(_ states: [(String?, [String: String])]) -> [StoreModel] {
    states.enumerated().map { number, state in
      .whole(
        passcode: state.0, items: state.1,
        failedAttempts: number == 0 && state.0 != nil ? 0...1 : 0...0)
    }
  }

  /// A wrong passcode is counted before it is tried.
  private static var wrongPasscode: PowerScenario {
    PowerScenario(
      name: "a wrong passcode", passcode: passcode,
      program: { try command($0, ["list"], passcode: "wrong") },
      answer: .words("passcode", status: 5),
      models: (0...1).map {
        .whole(passcode: passcode, items: items(passcode), failedAttempts: $0...$0)
      })
  }

  /// The wrong passcode that reaches the limit. If it was counted and the wipe was cut short, the
  /// next attempt finishes the wipe, whatever its passcode is.
  private static var lastPasscode: PowerScenario {
    PowerScenario(
      name: "the last wrong passcode", passcode: passcode, attemptLimit: 1,
      program: { try command($0, ["list"], passcode: "wrong") },
      answer: .words("wiped", status: 1),
      models: [.whole(passcode: passcode, items: items(passcode)), .wiped],
      between: [.wipedByNextAttempt(passcode: passcode)])
  }

  private static var wipe: PowerScenario {
    PowerScenario(
      name: "a wipe", passcode: passcode, program: { try command($0, ["wipe", "--yes"]) },
      answer: .words("was wiped", status: 0),
      models: [.whole(passcode: passcode, items: items(passcode)), .wiped])
  }

  /// An item was added, and then the store's folder was replaced by its former copy.
  private static func acceptOlder(passcode: String?) -> PowerScenario {
    PowerScenario(
      name: "the acceptance of an older store" + (passcode == nil ? "" : " with a passcode"),
      passcode: passcode,
      prepare: { scratch in
        let older = try scratch.copy()
        try run(scratch, writes(scratch, passcode, "add"))
        try FileManager.default.removeItem(at: scratch.store)
        try FileManager.default.copyItem(at: older.store, to: scratch.store)
      },
      program: { try command($0, ["restore", "--accept-older", "--yes"], passcode: passcode) },
      answer: .words("was accepted", status: 0),
      models: [.refusedAsOlder] + models([(passcode, items(passcode))]))
  }
}
