// What a header takes in for definitions that are compiled apart.
