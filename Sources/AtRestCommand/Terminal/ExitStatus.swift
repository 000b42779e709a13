import AtRestCrypto

/// The exit codes of the command, on which scripts can branch.
enum ExitStatus: Int32 {
  case done = 0
  case failure = 1
  case usage = 2
  case notFound = 3
  case locked = 4
  case notPermitted = 5
  case damaged = 6

  /// The exit code for an error.
  init(_ error: AtRestError) {
    self =
      switch error.refusal {
      case .notFound: .notFound
      case .locked: .locked
      case .notPermitted: .notPermitted
      case .damaged: .damaged
      case nil:
        [.invalidArgument, .noSuchAttribute, .weakPassphrase].contains(error.code)
          ? .usage : .failure
      }
  }
}
