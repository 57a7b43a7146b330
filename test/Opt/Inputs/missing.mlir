// expected-error@+1 {{never}}
func.func @f() { return }
