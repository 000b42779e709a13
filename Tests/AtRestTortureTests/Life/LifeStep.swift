/// One step of a life: a program's run, and what it changes.
struct LifeStep {
  /// The program.
  enum Run {
    /// `atrest` with arguments and standard input.
    case command([String], input: String = "")
    /// `atrest-life-worker` with an order, in a process of its own.
    case worker([String: String])
    /// The program that holds the store open, with an order.
    case held([String: String])
  }

  /// The kind of the step, for the table at the end.
  let verb: String
  let run: Run
  /// The entries that the step sets; nil removes an entry.
  var effects: [String: LifeEntry?] = [:]
  /// The passcode afterwards, if the step changes it.
  var passcode: String??
  /// The exit codes of a run in which nothing goes wrong.
  var codes: Set<Int32> = [0]
  /// What a run says that is refused, if that is to be checked.
  var refusal: String?
  /// The exit codes of a second run.
  var again: Set<Int32> = [0]
  /// False if another program may not run at the same time.
  var isShared = true
  /// False if the step is not made to fail.
  var takesFaults = true

  /// True if all effects happen together, or none.
  var isAtomic = false

  /// The part of the store that the step uses, such as `item` or `file`.
  var kind: String { effects.keys.first.map { String($0.prefix { $0 != "/" }) } ?? verb }

  init(_ verb: String, _ run: Run) {
    self.verb = verb
    self.run = run
  }

  /// The step as somebody would type it.
  var text: String {
    switch run {
    case .command(let arguments, let input):
      "atrest \(arguments.joined(separator: " "))\(input.isEmpty ? "" : " <<< \(input)")"
    case .worker(let order): "worker \(Self.text(of: order))"
    case .held(let order): "held \(Self.text(of: order))"
    }
  }

  private static func text(of order: [String: String]) -> String {
    order.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }
}
