import Testing

@Suite struct ObjectiveCPlusPlusTests {
  @Test func classesAndNamespacesAreRead() {
    let text = """
      namespace a { namespace b {
      template <typename T> class Box : public Base<T>, private Other {
      public:
        Box(int x) : a_(x), b_{x} { init(x); }
        ~Box() { f(); }
        int get() const noexcept override { return a_; }
        bool operator==(const Box &o) const { return true; }
      private:
        int a_ = 0; std::string b_;
      };
      }}
      using namespace std;
      std::string Box::name(const std::string &s) const { return s; }
      """
    #expect(
      ObjectiveCText.file(text, path: "a.mm").replacing("  {", with: " {") == """
        func name(_ s: std::string) -> std::string { return s }
        class Box: Base<T>, Other { var a_: int = 0; var b_: std::string; \
        func Box(_ x: int) { init(x) }; func ~Box() { f() }; func get() -> int { return a_ }; \
        func operator(_ o: Box) -> bool { return true } }
        """)
  }

  @Test(arguments: [
    ("auto x = std::make_shared<Foo>(1);", "var x: auto = std.make_shared(1)"),
    ("auto f = [&](int y) -> int { return y; };", "var f: auto = { y in return y }"),
    ("auto f = [this] { g(); };", "var f: auto = { g() }"),
    ("for (const auto &k : items) { f(k); }", "for k in items { f(k) }"),
    ("for (auto& [k, v] : m) { f(k, v); }", "for k, v in m { f(k, v) }"),
    ("std::vector<int> v{1, 2};", "var v: std::vector<int> = std::vector<int>(1, 2)"),
    ("Lock lock(mutex);", "var lock: Lock = Lock(mutex)"),
    ("auto s = R\"x(a \"b\" )y\")x\";", "var s: auto = \"a \\\"b\\\" )y\\\"\""),
    ("try { a(); } catch (const E &e) { b(e); }", "do { a() }\ndo { var e: E; b(e) }"),
    ("if (auto i = m.find(k); i != n) { a(); }", "if var i: auto = m.find(k), (i != n) { a() }"),
    ("auto *p = new Foo(1);", "var p: auto = Foo(1)"),
    ("delete[] p;", "p"),
    ("x = static_cast<int>(y);", "x = static_cast(y)"),
    ("a->b::c();", "a.b.c()"),
  ])
  func statementIsRead(_ text: String, _ expected: String) {
    #expect(ObjectiveCText.statements(text, path: "a.mm") == expected)
  }

  /// Words that C++ reserves are ordinary names in Objective-C.
  @Test(arguments: [
    ("id new = this;", "var new: id = this"),
    ("[class delete:namespace];", "class.delete(namespace)"),
    ("template = operator;", "template = operator"),
  ])
  func wordsOfCPlusPlusAreNamesInObjectiveC(_ text: String, _ expected: String) {
    #expect(ObjectiveCText.statements(text) == expected)
  }
}
