/// What a life expects of the programs, as far as the programs do not keep it yet. A life passes over
/// these; remove a case when it is kept.
enum LifePromise: String {
  /// After a wipe, programs that have the store open end with *wiped*.
  case wipeReachesPrograms
  /// After a change of the passcode, they go on, or end with *locked* or *wiped*.
  case passcodeReachesPrograms
  /// A missing device folder is told so, and no key is made in its place.
  case missingDeviceIsTold

  static let notKept: Set<LifePromise> = []

  var isKept: Bool { !Self.notKept.contains(self) }
}
