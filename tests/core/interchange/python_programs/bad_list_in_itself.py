# {"error": "python/endless", "line": 9}
class Net:
    def first(self):
        pass


net = Net()
net.parts = [net.first]
net.parts.append({"own": net})
