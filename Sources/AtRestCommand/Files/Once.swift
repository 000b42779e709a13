/// A value that is created when it is first needed. A failure is kept too, so the user is not asked
/// again, and the passcode is not tried again, for each file.
struct Once<Value> {
  private var result: Result<Value, any Error>?

  mutating func get(_ make: () throws -> Value) throws -> Value {
    let result = self.result ?? Result { try make() }
    self.result = result
    return try result.get()
  }
}
