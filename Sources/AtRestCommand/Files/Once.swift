/// A value that is made when it is first needed. A failure is kept too, so a user is not asked
/// again, and no passcode tried again, for each file.
struct Once<Value> {
  private var result: Result<Value, any Error>?

  mutating func get(_ make: () throws -> Value) throws -> Value {
    let result = self.result ?? Result { try make() }
    self.result = result
    return try result.get()
  }
}
