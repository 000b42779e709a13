/// Breaks a file in about two thousand ways, which are the same in each run.
enum Hostile {
  /// Calls a closure with each broken form: cut off at 301 lengths, and with one to eight changes,
  /// each of which removes, repeats or overwrites up to 16 bytes.
  static func forms(of bytes: [UInt8], changes: Int = 1700, each: ([UInt8]) -> Void) {
    var random = SeededNumbers(seed: 2026)
    for index in 0...300 { each(Array(bytes.prefix(bytes.count * index / 300))) }
    for _ in 0..<changes {
      var form = bytes
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        guard !form.isEmpty else { break }
        // Headers are at the start or the end of a file. Changes there have the most effect.
        let reach = Bool.random(using: &random) ? form.count : min(form.count, 256)
        let place = Int.random(in: 0..<reach, using: &random)
        let start = Bool.random(using: &random) ? place : form.count - 1 - place
        let end = min(form.count, start + Int.random(in: 1...16, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: form.removeSubrange(start..<end)
        case 1: form.insert(contentsOf: form[start..<end], at: start)
        case 2: for index in start..<end { form[index] = 0xFF }
        case 3: for index in start..<end { form[index] = 0 }
        default: form[start] = UInt8.random(in: 0...255, using: &random)
        }
      }
      each(form)
    }
  }
}

/// Random numbers that are the same in each run (SplitMix64).
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
